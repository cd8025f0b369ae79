/**
 * A small real model behind OpenAI's chat completions, on loopback:
 * `node server.mjs MODULES MODEL.gguf` prints its address. MODULES is the folder where node-llama-cpp
 * is installed. With tools in the request the reply is forced into a call by a grammar, else the
 * model would never call one: what stands in it is the model's own.
 */
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [modules = "", file = ""] = process.argv.slice(2);
const entry = createRequire(join(modules, "x.js")).resolve("node-llama-cpp");
const { getLlama, LlamaCompletion, LlamaLogLevel } = await import(pathToFileURL(entry).href);

const contextSize = 4096;
const llama = await getLlama({ build: "never", gpu: false, logLevel: LlamaLogLevel.error });
const model = await llama.loadModel({ modelPath: file });
// One thread: several would wait for each other by spinning, beside whatever else is tested.
const context = await model.createContext({ contextSize, threads: 1 });
const completion = new LlamaCompletion({ contextSequence: context.getSequence() });
const command = await llama.createGrammarForJsonSchema({
  type: "object",
  properties: { command: { type: "string", maxLength: 100 } },
  required: ["command"],
});

/** The conversation in ChatML, which this model was trained on. */
function promptOf(messages) {
  const turns = messages.map(({ role, content, tool_calls: calls }) => {
    const said = [content, ...(calls ?? []).map((call) => call.function.arguments)];
    const who = role === "tool" ? "user" : role;
    return `<|im_start|>${who}\n${said.filter(Boolean).join("\n")}<|im_end|>\n`;
  });
  return `${turns.join("")}<|im_start|>assistant\n`;
}

async function complete({ messages, tools, max_tokens: limit = 256, seed = 1 }) {
  const prompt = model.tokenize(promptOf(messages), true);
  const maxTokens = Math.min(limit, 40);
  if (prompt.length + maxTokens > contextSize - 64) {
    const message = `This model's maximum context length is ${contextSize} tokens; the messages hold ${prompt.length}.`;
    return { status: 400, body: { error: { message, code: "context_length_exceeded" } } };
  }
  const text = await completion.generateCompletion(prompt, {
    maxTokens,
    temperature: 1.3,
    seed: seed + messages.length,
    customStopTriggers: ["<|im_end|>"],
    ...(tools === undefined ? {} : { grammar: command }),
  });
  const usage = { prompt_tokens: prompt.length, completion_tokens: model.tokenize(text).length };
  const call = { id: `call-${messages.length}`, type: "function" };
  const message =
    tools === undefined
      ? { role: "assistant", content: text }
      : {
          role: "assistant",
          content: "",
          tool_calls: [{ ...call, index: 0, function: { name: "bash", arguments: text } }],
        };
  const finish = tools === undefined ? "stop" : "tool_calls";
  const choices = [{ index: 0, delta: message, finish_reason: finish }];
  return { status: 200, body: { object: "chat.completion.chunk", choices, usage } };
}

let last = Promise.resolve();
createServer(async (request, response) => {
  let body = "";
  for await (const chunk of request) body += chunk;
  // One sequence answers one request at a time.
  const answer = last.then(() => complete(JSON.parse(body)));
  last = answer.catch(() => {});
  const { status, body: reply } = await answer.catch((error) => ({
    status: 500,
    body: { error: { message: String(error) } },
  }));
  if (status === 200) {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end(`data: ${JSON.stringify(reply)}\n\ndata: [DONE]\n\n`);
    return;
  }
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(reply));
}).listen(0, "127.0.0.1", function () {
  process.stdout.write(`http://127.0.0.1:${this.address().port}/v1\n`);
});
