"""pmcoder's plan and memory in the OpenHands SDK 1.x: an agent in the place of `Agent`.

    from pmcoder_openhands import PmcoderAgent
    agent = PmcoderAgent(llm=llm, tools=tools)                  # with plan and memory
    agent = PmcoderAgent(llm=llm, tools=tools, pmcoder=False)   # the same agent without them

So a paired run is one flag; prompts, tools, limits and history stay OpenHands'. What plan and
memory have to say is appended to the newest observation, after the tool's own text. Should pmcoder
fail, the agent goes on as if it were not there.
"""

import json
import logging
import os
import queue
import shlex
import subprocess
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from openhands.sdk import Agent, Event, LocalConversation, MessageEvent, TextContent
from openhands.sdk.event import ActionEvent, AgentErrorEvent, ObservationEvent
from pydantic import Field, PrivateAttr

logger = logging.getLogger("pmcoder")


class Sidecar:
    """`pmcoder serve --stdio`: JSON-RPC 2.0, each message after a Content-Length header."""

    def __init__(self, command: str, cwd: str, timeout: float) -> None:
        self._timeout = timeout
        self._asked = 0
        self._lock = threading.Lock()
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
        with self._lock:
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


@dataclass
class Watched:
    """What is known of one conversation."""

    session: str = ""
    task: str | None = None
    """Id of the user message that the episode is about."""
    calls: dict[str, ActionEvent] = field(default_factory=dict)
    """Calls that wait for their result, by their id."""


class PmcoderAgent(Agent):
    pmcoder: bool = Field(default=True, description="false: without plan and memory.")
    pmcoder_command: str = Field(
        default_factory=lambda: os.getenv("PMCODER_COMMAND", "pmcoder serve --stdio"),
        description="Starts the sidecar.",
    )
    pmcoder_timeout: float = Field(
        default=10,
        description="Seconds an answer may take; the first may take three times as long.",
    )
    _sidecar: Sidecar | None = PrivateAttr(default=None)
    _failed: bool = PrivateAttr(default=False)
    _watched: dict[str, Watched] = PrivateAttr(default_factory=dict)

    @property
    def prompt_dir(self) -> str:
        """Agent's own prompts, not those beside this file."""
        place = sys.modules[Agent.__module__].__file__ or ""
        return os.path.join(os.path.dirname(place), "prompts")

    def step(
        self,
        conversation: LocalConversation,
        on_event: Callable[[Event], None],
        *rest: Any,
        **more: Any,
    ) -> None:
        super().step(conversation, self._between(conversation, on_event), *rest, **more)

    async def astep(
        self,
        conversation: LocalConversation,
        on_event: Callable[[Event], None],
        *rest: Any,
        **more: Any,
    ) -> None:
        await super().astep(conversation, self._between(conversation, on_event), *rest, **more)

    def close(self) -> None:
        for watched in self._watched.values():
            self._ask("end", {"session": watched.session})
        self._watched.clear()
        if self._sidecar is not None:
            self._sidecar.close()
            self._sidecar = None
        super().close()

    def _between(
        self, conversation: LocalConversation, on_event: Callable[[Event], None]
    ) -> Callable[[Event], None]:
        """`on_event` with our block in the newest result; itself when switched off."""
        if not self.pmcoder:
            return on_event
        watched = self._begin(conversation)

        def emit(event: Event) -> None:
            if isinstance(event, ActionEvent):
                watched.calls[event.tool_call_id] = event
            elif isinstance(event, ObservationEvent | AgentErrorEvent):
                event = self._with_block(watched, event)
            on_event(event)

        return emit

    def _begin(self, conversation: LocalConversation) -> Watched:
        watched = self._watched.setdefault(str(conversation.id), Watched(str(conversation.id)))
        asked = [
            event
            for event in conversation.state.events
            if isinstance(event, MessageEvent) and event.source == "user"
        ]
        if not asked or watched.task == asked[-1].id:
            return watched
        watched.task = asked[-1].id
        root = str(conversation.workspace.working_dir)
        self._open(root)
        text = "".join(
            part.text for part in asked[-1].llm_message.content if isinstance(part, TextContent)
        )
        self._ask(
            "begin", {"session": watched.session, "host": "openhands", "task": text, "root": root}
        )
        return watched

    def _open(self, root: str) -> None:
        if self._sidecar is not None or self._failed:
            return
        cwd = root if os.path.isdir(root) else os.getcwd()
        try:
            self._sidecar = Sidecar(self.pmcoder_command, cwd, self.pmcoder_timeout)
        except OSError as error:
            self._failed = True
            logger.warning("pmcoder is left out: %s", error)

    def _with_block(self, watched: Watched, event: ObservationEvent | AgentErrorEvent) -> Event:
        call = watched.calls.pop(event.tool_call_id, None)
        if call is None or call.action is None:
            return event
        step = {
            "session": watched.session,
            "id": event.tool_call_id,
            "thought": "".join(part.text for part in call.thought),
            "tool": event.tool_name,
            "input": call.action.model_dump(mode="json", exclude={"kind"}),
            "more": len(watched.calls) > 0,
        }
        block = self._ask("observe", {**step, **result(event)}).get("block")
        if not block:
            return event
        if isinstance(event, AgentErrorEvent):
            return event.model_copy(update={"error": f"{event.error}\n\n{block}"})
        # OpenHands joins the parts of a result with a newline.
        parts = [*event.extended_content, TextContent(text=f"\n{block}")]
        return event.model_copy(update={"extended_content": parts})

    def _ask(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        """An empty answer where there is no sidecar, or none any more."""
        if self._sidecar is None:
            return {}
        try:
            return self._sidecar.ask(method, params)
        except (OSError, RuntimeError, ValueError, queue.Empty) as error:
            logger.warning("pmcoder is left out from here on: %s: %s", method, error or "no answer")
            self._sidecar.close()
            self._sidecar = None
            self._failed = True
            return {}


def result(event: ObservationEvent | AgentErrorEvent) -> dict[str, Any]:
    """What a tool gave; only the terminal's tells an exit code, and whether its time was up."""
    if isinstance(event, AgentErrorEvent):
        return {"output": event.error, "isError": True}
    observation = event.observation
    return {
        "output": observation.text,
        "isError": observation.is_error,
        "exitCode": getattr(observation, "exit_code", None),
        "timedOut": bool(getattr(observation, "timeout", False)),
    }
