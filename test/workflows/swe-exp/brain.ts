import { PmcoderError } from "../../../src/domain/errors.ts";
import { free, type Model, type ModelRequest, type Purpose } from "../../../src/domain/model.ts";

/** What a model says, by what it is asked for. */
export type Brain = {
  readonly [One in Purpose]?: ((prompt: string, request: ModelRequest) => unknown) | undefined;
};

export interface Thinking extends Model {
  readonly requests: readonly ModelRequest[];
}

/** A model that is a function of what it is asked; an answer that is no text is sent as JSON. */
export function thinking(brain: Brain): Thinking {
  const requests: ModelRequest[] = [];
  return {
    name: "thinking:test",
    price: free,
    requests,
    complete: async (request, { signal }) => {
      if (signal.aborted) throw new PmcoderError("interrupted", "aborted");
      requests.push(request);
      const prompt = request.messages.map(({ content }) => content).join("\n");
      const answer = brain[request.purpose]?.(prompt, request) ?? "I have nothing to say.";
      const content = typeof answer === "string" ? answer : JSON.stringify(answer);
      const message = { role: "assistant", content, calls: [] } as const;
      const usage = { input: 100, cached: 0, cacheWritten: 0, output: 10 };
      return { message, usage, stop: "end", model: "thinking" };
    },
  };
}

export const files = {
  "lib/shapes.js": `class Square {
  constructor(side) {
    this.side = side;
  }

  area() {
    return this.side * 2;
  }
}

module.exports = { Square };
`,
  "lib/round.js": "exports.round = (value) => Math.round(value);\n",
};

export const issue = "The area of a square is wrong: Square(3).area() gives 6 and not 9.";

const edit = (now: string) => ({
  thoughts: "",
  tool: "StringReplace",
  input: { path: "lib/shapes.js", old_str: "this.side * 2", new_str: now },
});

const wanted = (type: string) => ({
  thoughts: "t",
  instructions: `${type} it`,
  context: "c",
  type,
});

/** Looks, views or edits from the root, by how many went before; then edits, then finishes. */
export const solver: Brain = {
  instruct: (prompt) => {
    if (prompt.includes("The changes so far:")) return wanted("finish");
    if (!prompt.includes("Nothing has been done yet")) return wanted("modify");
    const others = prompt.match(/^- otherwise$/gm)?.length ?? 0;
    return wanted(["search", "view", "modify"][others] ?? "modify");
  },
  assist: (prompt) => {
    if (prompt.includes("- FindClass:")) {
      return { thoughts: "", tool: "FindClass", input: { class_name: "Square" } };
    }
    if (prompt.includes("- ViewCode:")) {
      const input = { files: [{ path: "lib/shapes.js", start_line: 1, end_line: 9 }] };
      return { thoughts: "", tool: "ViewCode", input };
    }
    if (prompt.includes("- Finish:")) {
      return { thoughts: "", tool: "Finish", input: { finish_reason: "done" } };
    }
    return edit(prompt.includes("FindClass {") ? "this.side ** 2" : "this.side * this.side");
  },
  value: (prompt) => {
    const value = prompt.includes("claims that the issue is resolved") ? 90 : 60;
    return { explanation: "e", feedback: "otherwise", value };
  },
  select: (prompt) => {
    const [first] = prompt.match(/(?<=^Candidate )\d+/gm) ?? [];
    return { choice: Number(first), reason: "the smaller change" };
  },
};
