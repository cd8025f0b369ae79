"""pmcoder's plan and memory in mini-swe-agent 2.4: an agent class that its `-c` can name.

    PYTHONPATH=.../pmcoder/src/hosts/mini-swe-agent mini -c mini.yaml \
        -c agent.agent_class=pmcoder_mini.InteractivePmcoderAgent -t "$(cat ISSUE.md)"

`-c agent.pmcoder=false` is the same agent without them, so a paired run is one flag. Limits,
prompts, tools and history stay mini-swe-agent's. What plan and memory have to say is appended to the
newest observation. Should pmcoder fail, the agent goes on as if it were not there.
"""

import json
import logging
import os
import queue
import shlex
import subprocess
import threading
from typing import Any

from minisweagent import Environment, Model
from minisweagent.agents.default import AgentConfig, DefaultAgent
from minisweagent.agents.interactive import InteractiveAgent, InteractiveAgentConfig
from pydantic import BaseModel

logger = logging.getLogger("pmcoder")


class PmcoderConfig(BaseModel):
    pmcoder: bool = True
    """false: without plan and memory."""
    pmcoder_command: str = os.getenv("PMCODER_COMMAND", "pmcoder serve --stdio")
    """Starts the sidecar."""
    pmcoder_timeout: float = 10
    """Seconds that an answer may take; the first may take three times as long."""


class Sidecar:
    """`pmcoder serve --stdio`: JSON-RPC 2.0, each message after a Content-Length header."""

    def __init__(self, command: str, cwd: str, timeout: float) -> None:
        self._timeout = timeout
        self._asked = 0
        self._replies: queue.Queue[dict[str, Any] | None] = queue.Queue()
        self._process = subprocess.Popen(
            shlex.split(command),
            cwd=cwd,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        """Puts every reply in the queue, and None at the end."""
        stream = self._process.stdout
        assert stream is not None
        while line := stream.readline():
            size = 0
            while line.strip():
                name, _, value = line.partition(b":")
                size = int(value) if name.lower() == b"content-length" else size
                line = stream.readline()
            self._replies.put(json.loads(stream.read(size)))
        self._replies.put(None)

    def ask(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        """Raises OSError, queue.Empty when time is up, RuntimeError for what is refused."""
        self._asked += 1
        body = {"jsonrpc": "2.0", "id": self._asked, "method": method, "params": params}
        data = json.dumps(body).encode()
        stream = self._process.stdin
        assert stream is not None
        stream.write(b"Content-Length: %d\r\n\r\n%s" % (len(data), data))
        stream.flush()
        while True:
            reply = self._replies.get(timeout=self._timeout * (3 if self._asked == 1 else 1))
            if reply is None:
                raise RuntimeError("the sidecar has ended")
            if reply.get("id") != self._asked:
                continue
            if "error" in reply:
                raise RuntimeError(reply["error"]["message"])
            return reply["result"]

    def close(self) -> None:
        self._process.kill()
        self._process.wait()


class PlanAndMemory(DefaultAgent):
    """Tells the sidecar each command of the model and appends its block, unless switched off."""

    def __init__(self, model: Model, env: Environment, **kwargs: Any) -> None:
        super().__init__(model, env, **kwargs)
        self._sidecar: Sidecar | None = None
        self._session = ""
        self._turn: dict[str, Any] | None = None

    def run(self, task: str = "", **kwargs: Any) -> dict[str, Any]:
        if self.config.pmcoder:
            self._begin(task)
        try:
            return super().run(task, **kwargs)
        finally:
            self._ask("end", {})
            if self._sidecar is not None:
                self._sidecar.close()
            self._sidecar = None

    def execute_actions(self, message: dict[str, Any]) -> list[dict[str, Any]]:
        # A command that the user typed is none of the model's.
        self._turn = message if message.get("role") == "assistant" else None
        try:
            return super().execute_actions(message)
        finally:
            self._turn = None

    def add_messages(self, *messages: dict[str, Any]) -> list[dict[str, Any]]:
        if self._turn is not None:
            self._observe(self._turn, messages)
            self._turn = None
        return super().add_messages(*messages)

    def _begin(self, task: str) -> None:
        root = getattr(self.env.config, "cwd", "") or os.getcwd()
        cwd = root if os.path.isdir(root) else os.getcwd()
        try:
            self._sidecar = Sidecar(self.config.pmcoder_command, cwd, self.config.pmcoder_timeout)
        except OSError as error:
            logger.warning("pmcoder is left out: %s", error)
            return
        begun = self._ask("begin", {"host": "mini-swe-agent", "task": task, "root": root})
        self._session = begun.get("session", "")

    def _observe(self, turn: dict[str, Any], observations: tuple[dict[str, Any], ...]) -> None:
        actions = turn.get("extra", {}).get("actions", [])
        ran = [
            (action, observation["extra"])
            for action, observation in zip(actions, observations)
            if observation["extra"].get("exception_info") != "action was not executed"
        ]
        said: dict[str, Any] = {}
        for index, (action, extra) in enumerate(ran):
            step = {
                "thought": turn.get("content") or "",
                "command": action["command"],
                **result(extra),
            }
            call = {"id": action.get("tool_call_id"), "more": index < len(ran) - 1}
            said = self._ask("observe", {**step, **call})
        block = said.get("block")
        # In an observation of several parts, such as pictures, a text of ours is one more.
        if block and isinstance(content := observations[len(ran) - 1]["content"], list):
            content.append({"type": "text", "text": block})
        elif block:
            observations[len(ran) - 1]["content"] += f"\n\n{block}"

    def _ask(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        """An empty answer where there is no sidecar, or none any more."""
        if self._sidecar is None:
            return {}
        try:
            session = {"session": self._session} if self._session else {}
            return self._sidecar.ask(method, {**session, **params})
        except (OSError, RuntimeError, ValueError, queue.Empty) as error:
            logger.warning("pmcoder is left out from here on: %s: %s", method, error or "no answer")
            self._sidecar.close()
            self._sidecar = None
            return {}


def result(extra: dict[str, Any]) -> dict[str, Any]:
    """What an observation's `extra` says of a command; -1 stands for one without a return code."""
    code = extra.get("returncode")
    ending = f"{extra.get('exception_type', '')} {extra.get('exception_info', '')}"
    timed_out = code == -1 and ("TimeoutExpired" in ending or "timed out" in ending)
    exit_code = 124 if timed_out else None if code == -1 else code
    return {"output": extra.get("raw_output") or "", "exitCode": exit_code, "timedOut": timed_out}


class DefaultConfig(AgentConfig, PmcoderConfig):
    pass


class InteractiveConfig(InteractiveAgentConfig, PmcoderConfig):
    pass


class PmcoderAgent(PlanAndMemory):
    """mini-swe-agent's default agent, which asks nothing."""

    def __init__(self, model: Model, env: Environment, **kwargs: Any) -> None:
        super().__init__(model, env, config_class=DefaultConfig, **kwargs)


class InteractivePmcoderAgent(PlanAndMemory, InteractiveAgent):
    """The agent of the command `mini`, which asks before it runs a command."""

    def __init__(self, model: Model, env: Environment, **kwargs: Any) -> None:
        super().__init__(model, env, config_class=InteractiveConfig, **kwargs)
