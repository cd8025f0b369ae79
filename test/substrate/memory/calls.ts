import { RunConfig } from "../../../src/domain/config/run-config.ts";
import type { RememberedCall } from "../../../src/substrate/memory/call.ts";
import { beginMemory, type Memory, remember } from "../../../src/substrate/memory/memory.ts";

export const config = RunConfig.parse({}).memory;

const idle: Omit<RememberedCall, "turn"> = {
  thought: "",
  command: "true",
  output: "",
  read: [],
  files: [],
  action: "true",
  exitCode: 0,
  touched: [],
  edited: [],
  reverted: [],
  isRevert: false,
  isSourceEdit: false,
  isRead: false,
  isLook: false,
  isSubmit: false,
  isSearch: false,
};

/** A call that shows one file. */
export function reading(file: string, output: string): Partial<RememberedCall> {
  return {
    command: `cat ${file}`,
    output,
    read: [file],
    files: [file],
    touched: [file],
    isRead: true,
  };
}

/** A call that changes one source file. */
export function editing(file: string, output = ""): Partial<RememberedCall> {
  return {
    command: `edit ${file}`,
    output,
    edited: [file],
    files: [file],
    touched: [file],
    isSourceEdit: true,
  };
}

/** The memory after calls of which each is a turn of its own, unless it says otherwise. */
export function remembering(calls: readonly Partial<RememberedCall>[], task = "Fix it"): Memory {
  return calls.reduce<Memory>(
    (memory, call, index) => remember(memory, { ...idle, turn: index + 1, ...call }, config),
    beginMemory({ task, root: "/testbed" }, config),
  );
}
