import { NOTHING, type Spool } from "./spool.ts";
import type { Supervisor } from "./supervisor.ts";

/** A spool in a folder that only the supervisor reaches; nothing but what is asked for travels. */
export function remoteSpool(supervisor: Supervisor): Spool {
  return {
    size: (name) => supervisor.size(name),
    ends: async (name, bytes) => {
      const head = await supervisor.fetch(name, 0, bytes);
      const totalBytes = head.length < bytes ? head.length : await supervisor.size(name);
      if (totalBytes <= bytes) return { ...NOTHING, head, totalBytes: head.length };
      const from = Math.max(bytes, totalBytes - bytes);
      return { head, tail: await supervisor.fetch(name, from, totalBytes - from), totalBytes };
    },
    take: async (name) => {
      const bytes = await supervisor.fetch(name, 0, Number.MAX_SAFE_INTEGER);
      supervisor.discard(name);
      return bytes;
    },
  };
}
