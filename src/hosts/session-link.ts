import { SidecarClient, type SidecarPlace } from "./sidecar-client.ts";
import { objectIn } from "./tool-input.ts";

/** A call as a plugin tells it. */
export interface ToldCall {
  readonly session: string;
  readonly id: string;
  readonly tool: string;
  readonly input: unknown;
  readonly output: string;
  readonly isError: boolean;
  readonly exitCode?: number | null;
}

/** The sessions of one agent over its sidecar. Never throws. */
export class SessionLink {
  readonly #client: SidecarClient;
  readonly #host: string;
  readonly #begun = new Set<string>();

  constructor(host: string, place: SidecarPlace) {
    this.#host = host;
    this.#client = new SidecarClient(place);
  }

  /** A prompt of the user's; it begins an episode where none stands open. */
  async begin(session: string, task: string): Promise<void> {
    this.#begun.add(session);
    await this.#client.ask("begin", { session, task, host: this.#host });
  }

  /** The block that is due after a call; null: none. */
  async blockAfter({ input, ...call }: ToldCall): Promise<string | null> {
    if (!this.#begun.has(call.session)) await this.begin(call.session, "");
    const said = await this.#client.ask("observe", { ...call, input: objectIn(input) ?? {} });
    const block = objectIn(said)?.["block"];
    return typeof block === "string" ? block : null;
  }
}
