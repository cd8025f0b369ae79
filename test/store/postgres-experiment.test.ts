import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { systemClock } from "../../src/cli/compose.ts";
import { admissionOf } from "../../src/eval/batch/budget.ts";
import { openPostgresExperiment } from "../../src/store/postgres-experiment.ts";
import { describeBudget } from "../contracts/budget.ts";
import { hasPostgres, PostgresTestServer } from "./postgres-server.ts";

const caps = { perRunUsd: 3, totalUsd: 10 };
const rule = (spent: number, running: number) => admissionOf(spent, running, caps);

describe.runIf(hasPostgres)("PostgreSQL", () => {
  let server: PostgresTestServer;
  let url: string;
  beforeAll(async () => {
    server = await PostgresTestServer.start();
    url = server.url(await server.createDatabase());
  });
  afterAll(() => server.stop());

  let names = 0;
  const open = (name: string) => openPostgresExperiment(url, name, systemClock);

  describeBudget("PostgreSQL", async () => {
    names += 1;
    const [one, other] = await Promise.all([open(`budget ${names}`), open(`budget ${names}`)]);
    return {
      ends: [one.budget(rule), other.budget(rule)],
      close: async () => {
        await one.close();
        await other.close();
      },
    };
  });

  it("keeps documents by experiment and key, the newest of each", async () => {
    const documents = Array.from({ length: 120 }, (_, n) => [`row/${n}`, { n }] as const);
    const [one, other] = [await open("documents"), await open("others")];
    await one.put(new Map<string, unknown>([...documents, ["odd", "\u0000 ' \\ ünï"]]));
    await one.put(new Map([["row/7", { n: "seven" }]]));
    expect(await one.read("row/119")).toEqual({ n: 119 });
    expect(await one.read("row/7")).toEqual({ n: "seven" });
    expect(await one.read("odd")).toBe("\u0000 ' \\ ünï");
    expect(await one.read("none")).toBeUndefined();
    expect(await other.read("row/7")).toBeUndefined();
    await one.close();
    await other.close();
  });

  it("goes on when its connections are cut", async () => {
    const one = await open("cut");
    const budget = one.budget(rule);
    expect(await budget.admit("a", 0)).toBe("yes");
    await server.cut("d1");
    await budget.settle("a", 9);
    expect(await budget.admit("b", 0)).toBe("never");
    await one.close();
  });
});
