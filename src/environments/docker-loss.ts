import { setTimeout as sleep } from "node:timers/promises";
import type Docker from "dockerode";
import { type Engine, reasonOf, statusOf, within } from "./docker-engine.ts";

const ASK_MS = 3000;
/** How far back the engine's events are about this loss. */
const EVENTS_SEC = 10;
/** The connection ends a moment before the engine has noted why. */
const LOOKS = 5;
const LOOK_MS = 100;

/** Why the connection to a shell in this container has ended, as far as the engine knows it. */
export async function lossReason(
  engine: Engine,
  container: Docker.Container,
  exec: Docker.Exec,
): Promise<string> {
  try {
    const ended = await endReason(engine, container);
    if (ended !== null) return ended;
    const { ExitCode: status } = await within(ASK_MS, exec.inspect());
    const known = status === null ? "" : ` with status ${status}`;
    const memory = outOfMemory(await recentEvents(engine, container));
    return `its shell in the container ended${known}${memory}`;
  } catch (error) {
    return `the Docker engine at ${engine.address} does not answer any more: ${reasonOf(error)}`;
  }
}

/** Why the container has just ended; null while it runs. Rejects when the engine does not answer. */
export async function endReason(
  engine: Engine,
  container: Docker.Container,
): Promise<string | null> {
  return (await stillRunning(container)) ? null : endOf(await recentEvents(engine, container));
}

async function stillRunning(container: Docker.Container): Promise<boolean> {
  for (let look = 0; look < LOOKS; look += 1) {
    if (look > 0) await sleep(LOOK_MS);
    const running = await within(ASK_MS, container.inspect()).then(
      ({ State: state }) => state.Running,
      (error: unknown) => {
        if (statusOf(error) === 404) return false;
        throw error;
      },
    );
    if (!running) return false;
  }
  return true;
}

interface EngineEvent {
  readonly Action?: string;
  readonly Actor?: { readonly Attributes?: Readonly<Record<string, string>> };
}

async function recentEvents(
  { docker }: Engine,
  { id }: Docker.Container,
): Promise<readonly EngineEvent[]> {
  const now = Date.now() / 1000;
  const stream = await docker.getEvents({
    since: now - EVENTS_SEC,
    until: now,
    filters: { container: [id] },
  });
  const read = async () => {
    let text = "";
    for await (const chunk of stream) text += String(chunk);
    return text;
  };
  const lines = (await within(ASK_MS, read())).split("\n");
  return lines.filter((line) => line.trim() !== "").map((line) => JSON.parse(line) as EngineEvent);
}

/** `die` is Docker's word, `died` Podman's. */
function endOf(events: readonly EngineEvent[]): string {
  const attribute = (actions: readonly string[], name: string) =>
    events.find(({ Action: action = "" }) => actions.includes(action))?.Actor?.Attributes?.[name];
  const status = attribute(["die", "died"], "exitCode");
  const signal = attribute(["kill"], "signal");
  if (status === undefined) return "the container is gone; something removed it or it was lost";
  const killed = signal === undefined ? "" : `, killed from outside with signal ${signal}`;
  return `the container ended with status ${status}${killed}${outOfMemory(events)}`;
}

function outOfMemory(events: readonly EngineEvent[]): string {
  return events.some(({ Action: action }) => action === "oom")
    ? ", out of memory (environment.memoryBytes limits it)"
    : "";
}
