import { describe, expect, it } from "vitest";
import { imageOf, platformOf, withTag } from "../../src/environments/docker-image.ts";

describe("the image of an instance", () => {
  const instance_id = "Octo-Org__Wid.get-42";
  const computed = "docker.io/swebench/sweb.eval.x86_64.octo-org_1776_wid.get-42:latest";

  it.each([
    [{ instance_id }, computed],
    [{ instance_id, image: null, image_name: null, docker_image: null }, computed],
    [
      { instance_id: "sympy__sympy-23824" },
      "docker.io/swebench/sweb.eval.x86_64.sympy_1776_sympy-23824:latest",
    ],
    [{ instance_id: "A__b__C-1" }, "docker.io/swebench/sweb.eval.x86_64.a_1776_b_1776_c-1:latest"],
    [{ instance_id, image: "one", image_name: "two", docker_image: "three" }, "one"],
    [{ instance_id, image_name: "two", docker_image: "three" }, "two"],
    [{ instance_id, image: null, docker_image: "three" }, "three"],
    [{ instance_id, image: "Org/Name:Tag-A" }, "org/name:Tag-A"],
    [{ instance_id, image: "Host:5000/Org/Name" }, "host:5000/org/name"],
    [{ instance_id, image: "Org/Name@sha256:AB" }, "org/name@sha256:AB"],
  ])("of %j is %s", (row, image) => {
    expect(imageOf(row)).toBe(image);
  });

  it.each([
    ["name", "name:latest"],
    ["host:5000/name", "host:5000/name:latest"],
    ["name:1", "name:1"],
    ["name@sha256:ab", "name@sha256:ab"],
  ])("%s means %s", (image, tagged) => {
    expect(withTag(image)).toBe(tagged);
  });

  it("is for x86_64 when SWE-bench made it", () => {
    expect(platformOf(computed)).toBe("linux/amd64");
    expect(platformOf("debian:12")).toBeUndefined();
  });
});
