import { describe, expect, it } from "vitest";
import { addJobs, watchImages } from "../../../src/eval/batch/image-use.ts";

/** An engine on which each image takes 10 bytes; what it is asked to remove goes. */
function engineWith(...images: readonly string[]) {
  const here = new Set(images);
  return {
    here,
    size: async () => 10 * here.size,
    remove: async (image: string) => here.delete(image),
  };
}

const nothing = async () => {};
const fail = () => Promise.reject(new Error("lost"));

describe("images of a batch", () => {
  it("go after their last job, above the limit alone, and no others", async () => {
    const store = engineWith("a", "b", "theirs");
    const left = new Map([
      ["a", 2],
      ["b", 1],
    ]);
    const images = watchImages({ store, limit: 20, left, recent: 1 });
    await images.during("a", nothing);
    expect([...store.here]).toEqual(["a", "b", "theirs"]);
    await images.during("a", nothing);
    expect([...store.here]).toEqual(["b", "theirs"]);
    await images.during("b", nothing);
    expect([...store.here]).toEqual(["b", "theirs"]);
  });

  it("stay for their episodes after the gold patch was graded in them", async () => {
    const store = engineWith("a");
    const left = addJobs(new Map([["a", 1]]), ["a", "b", null]);
    expect([...left]).toEqual([
      ["a", 2],
      ["b", 1],
    ]);
    const images = watchImages({ store, limit: 0, left, recent: 1 });
    await images.during("a", nothing);
    expect([...store.here]).toEqual(["a"]);
    await images.during("a", nothing);
    expect([...store.here]).toEqual([]);
  });

  it("stay while a job that failed may be tried again, or another one uses them", async () => {
    const store = engineWith("a");
    const images = watchImages({ store, limit: 0, left: new Map([["a", 2]]), recent: 1 });
    await expect(images.during("a", fail)).rejects.toThrow("lost");
    let end = () => {};
    const long = images.during("a", () => new Promise<void>((resolve) => (end = resolve)));
    await images.during("a", nothing);
    expect([...store.here]).toEqual(["a"]);
    end();
    await long;
    expect([...store.here]).toEqual([]);
  });

  it("of which a worker cannot know go when newer ones came, the oldest first", async () => {
    const store = engineWith("a", "b", "c", "d");
    const images = watchImages({ store, limit: 20, left: null, recent: 2 });
    await images.during("a", nothing);
    await images.during("b", nothing);
    await images.during("a", nothing);
    expect([...store.here]).toEqual(["a", "b", "c", "d"]);
    await images.during("c", nothing);
    expect([...store.here]).toEqual(["a", "c", "d"]);
    await images.during("d", nothing);
    expect([...store.here]).toEqual(["c", "d"]);
  });

  it("are asked of no engine for a job that needs none", async () => {
    const store = { size: fail, remove: fail };
    const images = watchImages({ store, limit: 0, left: new Map(), recent: 1 });
    expect(await images.during(null, async () => 7)).toBe(7);
  });
});
