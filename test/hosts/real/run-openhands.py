"""Runs one OpenHands conversation. usage: run-openhands.py BASE-URL REPOSITORY TASK on|off"""

import sys

from openhands.sdk import LLM, Conversation, Tool
from openhands.tools.file_editor import FileEditorTool
from openhands.tools.terminal import TerminalTool
from pmcoder_openhands import PmcoderAgent

url, repository, task, state = sys.argv[1:]
llm = LLM(model="openai/fake-1", base_url=f"{url}/v1", api_key="fake-key", num_retries=0)
tools = [Tool(name=TerminalTool.name), Tool(name=FileEditorTool.name)]
agent = PmcoderAgent(llm=llm, tools=tools, pmcoder=state == "on")
conversation = Conversation(
    agent=agent, workspace=repository, visualizer=None, max_iteration_per_run=20
)
conversation.send_message(task)
conversation.run()
conversation.close()
