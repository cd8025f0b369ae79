import { describe, expect, it } from "vitest";
import { namedAddress, showAddress, usualSockets } from "../../src/environments/docker-address.ts";
import { connectEngine } from "../../src/environments/docker-engine.ts";

describe("the address of an engine", () => {
  it.each([
    [{ DOCKER_HOST: "unix:///run/my.sock" }, { kind: "socket", path: "/run/my.sock" }],
    [{ DOCKER_HOST: "tcp://box:2400" }, tcp("box", 2400, null)],
    [{ DOCKER_HOST: "tcp://box" }, tcp("box", 2375, null)],
    [{ DOCKER_HOST: "box:2400" }, tcp("box", 2400, null)],
    [
      { DOCKER_HOST: "tcp://box", DOCKER_TLS_VERIFY: "1", HOME: "/h" },
      tcp("box", 2376, "/h/.docker"),
    ],
    [{ DOCKER_HOST: "tcp://box:9", DOCKER_CERT_PATH: "/certs" }, tcp("box", 9, "/certs")],
    [{ DOCKER_HOST: "ssh://me@box" }, { kind: "ssh", host: "box", port: null, user: "me" }],
    [{ DOCKER_HOST: "ssh://box:2222" }, { kind: "ssh", host: "box", port: 2222, user: null }],
    [{ DOCKER_HOST: "" }, null],
    [{}, null],
  ])("named by %j is %j", (env, address) => {
    expect(namedAddress(env)).toEqual(address);
  });

  function tcp(host: string, port: number, certificates: string | null) {
    return { kind: "tcp", host, port, certificates };
  }

  it.each(["ftp://box", "tcp://", "http://[", "::"])("%s is refused", (host) => {
    expect(() => namedAddress({ DOCKER_HOST: host })).toThrow(
      expect.objectContaining({ code: "usage" }),
    );
  });

  it("is one of Docker's and Podman's sockets when none is named", () => {
    expect(usualSockets({ HOME: "/h", XDG_RUNTIME_DIR: "/run/user/1" })).toEqual([
      "/var/run/docker.sock",
      "/h/.docker/run/docker.sock",
      "/run/user/1/docker.sock",
      "/run/user/1/podman/podman.sock",
      "/run/podman/podman.sock",
    ]);
  });

  it("is shown as DOCKER_HOST has it", () => {
    for (const shown of ["unix:///run/my.sock", "tcp://box:2400", "ssh://me@box:22", "ssh://box"]) {
      const address = namedAddress({ DOCKER_HOST: shown });
      expect(address && showAddress(address)).toBe(shown);
    }
  });
});

it("an engine that does not answer is lost, and it is said how to start one", async () => {
  const connecting = connectEngine({ DOCKER_HOST: "unix:///nowhere/docker.sock" });
  await expect(connecting).rejects.toMatchObject({ code: "environment_lost" });
  await expect(connecting).rejects.toThrowErrorMatchingInlineSnapshot(
    `[PmcoderError: Expected a Docker engine at unix:///nowhere/docker.sock, but none answers: connect ENOENT /nowhere/docker.sock. Start it (Linux: sudo systemctl start docker; Docker Desktop: open it; Podman: systemctl --user start podman.socket), or name another in DOCKER_HOST.]`,
  );
});
