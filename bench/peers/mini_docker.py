"""Seconds per step of mini-swe-agent's own loop over its Docker environment and scripted model.

usage: mini_docker.py STEPS TRAJECTORY IMAGE; prints seconds a step, then seconds from the start of
the container to the end of its first command.
"""

import os
import sys
import time
from pathlib import Path

os.environ["MSWEA_SILENT_STARTUP"] = "1"
os.environ.setdefault("MSWEA_COST_TRACKING", "ignore_errors")

from minisweagent.agents.default import DefaultAgent
from minisweagent.environments.docker import DockerEnvironment
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


def main(steps: int, trajectory: str, image: str) -> None:
    outputs = [output(number, "true") for number in range(steps)]
    outputs.append(output(steps, "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT"))
    opened = time.perf_counter()
    environment = DockerEnvironment(
        image=image,
        cwd="/testbed",
        env={"PAGER": "cat", "BASH_ENV": "/root/.bashrc"},
        run_args=["--rm", "--network", "none"],
        interpreter=["bash", "-c"],
    )
    environment.execute({"command": "true"})
    first = time.perf_counter() - opened
    agent = DefaultAgent(
        DeterministicToolcallModel(outputs=outputs, cost_per_call=0.0),
        environment,
        system_template="You fix issues.",
        instance_template="{{task}}",
        step_limit=0,
        cost_limit=0,
        output_path=Path(trajectory),
    )
    started = time.perf_counter()
    agent.run("Run true.")
    print((time.perf_counter() - started) / (steps + 1))
    print(first)
    environment.cleanup()


main(int(sys.argv[1]), sys.argv[2], sys.argv[3])
