"""pmcoder as an installed agent of Harbor 0.25: terminal tasks and benchmarks in containers.

    PYTHONPATH=.../pmcoder/src/hosts/harbor harbor run -d DATASET -m anthropic/NAME \
        --agent-import-path pmcoder_harbor:Pmcoder --ak package=/path/to/pmcoder-0.1.0.tgz

`package` is a tarball that `npm pack` made, or a folder with pmcoder built in it; PMCODER_PACKAGE
does the same. `--ak arm=baseline` is the same agent without plan and memory, so a paired run is one
flag. The agent works in the task's own folder, and ends well whether or not the task is solved: that
is for the verifier to say. Its trajectory is ATIF-v1.7, with what plan and memory made of each turn
in steps of their own.
"""

import json
import os
import shlex
import subprocess
import tempfile
from pathlib import Path
from typing import Any, ClassVar, override

from harbor.agents.capabilities import AgentCapabilities
from harbor.agents.installed.base import BaseInstalledAgent, with_prompt_template
from harbor.agents.installed.node_install import nvm_node_install_snippet
from harbor.agents.options import InstalledAgentOptions
from harbor.environments.base import BaseEnvironment
from harbor.models.agent.context import AgentContext
from pydantic import Field

KEYS = ("ANTHROPIC_API_KEY", "OPENAI_API_KEY", "PMCODER_API_KEY")
"""Variables of this machine that the agent is given."""

PROGRAM = '"$HOME/.pmcoder-agent/node_modules/.bin/pmcoder"'
WITH_NODE = 'export NVM_DIR="$HOME/.nvm"; [ ! -s "$NVM_DIR/nvm.sh" ] || . "$NVM_DIR/nvm.sh"; '
NEW_ENOUGH = (
    'node -e \'const [major, minor] = process.versions.node.split("."); '
    "process.exit(+(major * 100 + +minor < 2019))'"
)
"""Node 20.19 or later."""
DONE = (0, 3, 4)
"""Exit statuses of a run that came to an end of its own: submitted, a limit, nothing to show."""


class PmcoderOptions(InstalledAgentOptions):
    package: str | None = Field(
        default_factory=lambda: os.getenv("PMCODER_PACKAGE"),
        description="Tarball made by npm pack, or a folder with pmcoder built in it.",
    )
    arm: str = Field(
        default="full", description="full, baseline, plan-only, memory-only or a file."
    )
    server: str | None = Field(
        default=None, description="URL of a server that speaks the provider's protocol."
    )
    flags: str = Field(
        default="", description="Further flags of pmcoder run, such as '--step-limit 80'."
    )


class Pmcoder(BaseInstalledAgent):
    capabilities: ClassVar[AgentCapabilities] = AgentCapabilities(atif=True)
    options_model = PmcoderOptions

    @staticmethod
    @override
    def name() -> str:
        return "pmcoder"

    @override
    def get_version_command(self) -> str | None:
        return f"{WITH_NODE}{PROGRAM} --version"

    @override
    async def install(self, environment: BaseEnvironment) -> None:
        await self.ensure_system_dependencies(environment, ("bash", "curl", "git"))
        target = str(self.environment_logs_dir / "pmcoder.tgz")
        with tempfile.TemporaryDirectory() as scratch:
            await environment.upload_file(tarball(self.options.package, Path(scratch)), target)
        await self.exec_as_agent(
            environment,
            f"set -eu; {WITH_NODE}"
            f"{NEW_ENOUGH} 2>/dev/null || {{ {nvm_node_install_snippet()}; }}; "
            f'npm install --silent --prefer-offline --no-audit --no-fund --prefix "$HOME/.pmcoder-agent" {shlex.quote(target)}; '
            f"rm -f {shlex.quote(target)}; {PROGRAM} --version",
        )

    @override
    @with_prompt_template
    async def run(
        self, instruction: str, environment: BaseEnvironment, context: AgentContext
    ) -> None:
        logs = shlex.quote(str(self.environment_logs_dir))
        given = {key: self._extra_env.get(key) or os.environ.get(key) for key in KEYS}
        server = f"--base-url {shlex.quote(self.options.server)}" if self.options.server else ""
        await self.exec_as_agent(
            environment,
            f"{WITH_NODE}cd {logs} || exit 1; task=$OLDPWD; "
            f"printf %s {shlex.quote(instruction)} > task.md; "
            f'{PROGRAM} run --task task.md --repo "$task" --environment local --copy none --yes '
            f"--model {shlex.quote(model(self.model_name))} {server} --arm {shlex.quote(self.options.arm)} "
            f"{self.options.flags} --state state --output run > pmcoder.txt 2>&1 < /dev/null; code=$?; "
            f"{PROGRAM} export run --output trajectory.json || true; "
            f"case $code in {'|'.join(map(str, DONE))}) exit 0;; esac; tail -n 20 pmcoder.txt >&2; exit $code",
            env={key: value for key, value in given.items() if value},
        )

    @override
    def populate_context_post_run(self, context: AgentContext) -> None:
        try:
            trajectory: dict[str, Any] = json.loads((self.logs_dir / "trajectory.json").read_text())
        except (OSError, ValueError) as error:
            self.logger.debug("no trajectory: %s", error)
            return
        totals = trajectory["final_metrics"]
        context.n_input_tokens = totals["total_prompt_tokens"]
        context.n_cache_tokens = totals["total_cached_tokens"]
        context.n_output_tokens = totals["total_completion_tokens"]
        context.cost_usd = totals.get("total_cost_usd")
        context.metadata = {"pmcoder": trajectory["extra"]}


def model(name: str | None) -> str:
    """Harbor's provider/name as pmcoder's provider:name."""
    if not name or "/" not in name:
        raise ValueError("Name the model as provider/name, such as anthropic/NAME.")
    return name.replace("/", ":", 1)


def tarball(package: str | None, scratch: Path) -> Path:
    """The package as a tarball; of a folder one is made in `scratch`."""
    if not package:
        raise ValueError(
            "Say where pmcoder is: --ak package=TARBALL-OR-FOLDER, or PMCODER_PACKAGE."
        )
    path = Path(package).expanduser().resolve()
    if path.is_file():
        return path
    if not (path / "dist" / "src" / "cli" / "main.js").is_file():
        raise ValueError(
            f"{path} is no tarball, and pmcoder is not built in it. Run npm ci there first."
        )
    pack = ["npm", "pack", "--silent", "--ignore-scripts", "--pack-destination", str(scratch)]
    subprocess.run(pack, cwd=path, check=True, stdout=subprocess.DEVNULL)
    return next(scratch.glob("*.tgz"))
