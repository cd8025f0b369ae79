import fc from "fast-check";
import type { Api, Spoken } from "./scripted-api.ts";
import { type Answer, type End, events, json, resetAtOnce } from "./server.ts";

/** One way in which an attempt fails. `at`: which share of the reply came before, below 1. */
export type Fault =
  | { readonly kind: "status"; readonly status: number; readonly after: string | null }
  | { readonly kind: "reset" }
  | { readonly kind: "page" }
  | { readonly kind: "cut"; readonly at: number; readonly end: End }
  | { readonly kind: "half an event"; readonly at: number }
  | { readonly kind: "overload"; readonly at: number };

const page: Answer = (response) => {
  response.writeHead(200, { "content-type": "text/html" });
  response.end("<html>Please log in to this network.</html>\n\n");
};

/** What the server does instead of speaking. */
export function failing(fault: Fault, { lines, untilStop }: Spoken, { overload }: Api): Answer {
  const before = (share: number) => lines.slice(0, Math.floor(share * untilStop));
  switch (fault.kind) {
    case "status": {
      const headers = fault.after === null ? {} : { "retry-after": fault.after };
      const error = { type: "overloaded_error", message: "Not now" };
      return json(fault.status, { type: "error", error }, headers);
    }
    case "reset":
      return resetAtOnce;
    case "page":
      return page;
    case "cut":
      return events(before(fault.at), fault.end);
    case "half an event": {
      const [next = ""] = lines.slice(before(fault.at).length);
      return events([...before(fault.at), next.slice(0, -8)]);
    }
    case "overload":
      return events([...before(fault.at), overload]);
  }
}

/** Of a reply, below the whole. */
export const share = fc.double({ min: 0, max: 0.999, noNaN: true });
const after = fc.constantFrom(
  null,
  "1",
  "86400",
  "0",
  "-7",
  "soon",
  "9".repeat(400),
  "Fri, 31 Dec 9999 23:59:59 GMT",
  "Thu, 01 Jan 1970 00:00:00 GMT",
);

/** Faults that take no time, any of which the next attempt survives. */
export const anyFault: fc.Arbitrary<Fault> = fc.oneof(
  fc.record({
    kind: fc.constant("status" as const),
    status: fc.constantFrom(408, 409, 429, 500, 502, 503, 504, 529),
    after,
  }),
  fc.record({ kind: fc.constantFrom("reset" as const, "page" as const) }),
  fc.record({
    kind: fc.constant("cut" as const),
    at: share,
    end: fc.constantFrom("whole" as const, "reset" as const),
  }),
  fc.record({ kind: fc.constantFrom("half an event" as const, "overload" as const), at: share }),
);
