"""Seconds per step of mini-swe-agent's own loop over its local environment and scripted model.

usage: mini_local.py STEPS TRAJECTORY; prints one number.
"""

import os
import sys
import time
from pathlib import Path

os.environ["MSWEA_SILENT_STARTUP"] = "1"
os.environ.setdefault("MSWEA_COST_TRACKING", "ignore_errors")

from minisweagent.agents.default import DefaultAgent
from minisweagent.environments.local import LocalEnvironment
from minisweagent.models.test_models import DeterministicToolcallModel, make_toolcall_output


def output(number: int, command: str) -> dict:
    call_id = f"call-{number}"
    call = {
        "id": call_id,
        "type": "function",
        "function": {"name": "bash", "arguments": '{"command": "%s"}' % command},
    }
    action = {"command": command, "tool_call_id": call_id}
    return make_toolcall_output(f"turn {number}", [call], [action])


def main(steps: int, trajectory: str) -> None:
    outputs = [output(number, "true") for number in range(steps)]
    outputs.append(output(steps, "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT"))
    agent = DefaultAgent(
        DeterministicToolcallModel(outputs=outputs, cost_per_call=0.0),
        LocalEnvironment(),
        system_template="You fix issues.",
        instance_template="{{task}}",
        step_limit=0,
        cost_limit=0,
        output_path=Path(trajectory),
    )
    started = time.perf_counter()
    agent.run("Run true.")
    print((time.perf_counter() - started) / (steps + 1))


main(int(sys.argv[1]), sys.argv[2])
