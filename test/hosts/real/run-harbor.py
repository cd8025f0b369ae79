"""Installs and runs the agent of Harbor on this machine, in place of a container, and validates its
trajectory. usage: run-harbor.py PACKAGE FOLDER MODEL ARM INSTRUCTION; prints one JSON object."""

import asyncio
import json
import shutil
import sys
from pathlib import Path, PurePosixPath

from harbor.environments.base import ExecResult
from harbor.models.agent.context import AgentContext
from harbor.utils.trajectory_validator import TrajectoryValidator
from pmcoder_harbor import Pmcoder


class Machine:
    """As much of an environment as the agent asks for: commands start in the task's folder."""

    default_user = None

    def __init__(self, folder: str) -> None:
        self.folder = folder

    async def exec(self, command, cwd=None, env=None, timeout_sec=None, user=None) -> ExecResult:
        process = await asyncio.create_subprocess_exec(
            "env",
            *[f"{key}={value}" for key, value in (env or {}).items()],
            *["bash", "-c", command],
            cwd=cwd or self.folder,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        out, err = await process.communicate()
        return ExecResult(
            stdout=out.decode(), stderr=err.decode(), return_code=process.returncode or 0
        )

    async def upload_file(self, source_path, target_path) -> None:
        shutil.copy(source_path, target_path)


async def main() -> None:
    package, folder, model, arm, instruction = sys.argv[1:]
    logs = Path(folder).parent / f"logs-{arm}"
    logs.mkdir()
    agent = Pmcoder(
        logs_dir=logs,
        environment_logs_dir=PurePosixPath(logs),
        model_name=model,
        package=package,
        arm=arm,
    )
    machine = Machine(folder)
    await agent.install(machine)
    context = AgentContext()
    await agent.run(instruction, machine, context)
    agent.populate_context_post_run(context)
    validator = TrajectoryValidator()
    valid = validator.validate(logs / "trajectory.json")
    left = sorted(path.name for path in logs.iterdir())
    told = {"valid": valid, "errors": validator.errors, "left": left}
    print(json.dumps({**told, "context": context.model_dump(mode="json")}))


asyncio.run(main())
