import { afterEach, describe, expect, it } from "vitest";
import { connectEngine } from "../../src/environments/docker-engine.ts";
import { findImage, imageBytes, removeImage } from "../../src/environments/docker-images.ts";
import { type FakeEngine, fakeEngine, reply } from "./docker-api.ts";

let fake: FakeEngine | undefined;
afterEach(async () => {
  await fake?.close();
  fake = undefined;
});

/** An engine that gives these answers, by method and path; a number is a status without a word. */
async function engineWith(answers: Readonly<Record<string, unknown>>) {
  fake = await fakeEngine((path, response) => {
    const [, answer] = Object.entries(answers).find(([asked]) => path.startsWith(asked)) ?? [];
    if (answer === undefined) return false;
    return typeof answer === "number"
      ? reply(response, answer, { message: "no" })
      : reply(response, 200, answer);
  });
  return connectEngine(fake.env);
}

const pulled = { Id: "sha256:1", RepoDigests: ["x@sha256:2"] };
const deletions = () => fake?.requests.filter((asked) => asked.startsWith("DELETE"));

describe("images of an engine", () => {
  it.each([
    [pulled, { id: "sha256:1", digest: "x@sha256:2" }],
    [
      { Id: "sha256:1", RepoDigests: [] },
      { id: "sha256:1", digest: null },
    ],
    [404, null],
  ])("are found as %j", async (answer, found) => {
    const engine = await engineWith({ "GET /images/x:latest/json": answer });
    expect(await findImage(engine, "x")).toEqual(found);
  });

  it("take the room of their layers, or of all of them where it does not tell", async () => {
    expect(await imageBytes(await engineWith({ "GET /system/df": { LayersSize: 7 } }))).toBe(7);
    await fake?.close();
    const images = [{ Size: 3 }, { Size: 5 }];
    const engine = await engineWith({ "GET /system/df": {}, "GET /images/json": images });
    expect(await imageBytes(engine)).toBe(8);
  });

  it.each([
    ["that a registry can give again is removed", pulled, [], true, 1],
    ["that no registry knows stays", { Id: "sha256:1", RepoDigests: [] }, [], false, 0],
    ["that a container uses stays", pulled, 409, false, 1],
    ["that is gone is no failure", 404, [], false, 0],
  ])("one %s", async (_, found, answer, isGone, asked) => {
    const engine = await engineWith({
      "GET /images/x:latest/json": found,
      "DELETE /images/x:latest": answer,
    });
    expect(await removeImage(engine, "x")).toBe(isGone);
    expect(deletions()).toHaveLength(asked);
  });
});
