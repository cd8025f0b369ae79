import { randomBytes } from "node:crypto";
import type { EpisodeView } from "./episode-view.ts";
import { Follower } from "./follower.ts";
import type { Library } from "./library.ts";
import { SentPage } from "./page-parts.ts";
import type { StepLayout } from "./step-html.ts";

/** Episodes, and pages of them, that are kept for those who come back (our choice). */
const keptAtMost = 16;

/** What is being looked at, so that nothing is computed or sent twice. */
export class OpenEpisodes {
  readonly #library: Library;
  readonly #followers = new Map<string, Follower>();
  readonly #pages = new Map<string, { readonly key: string; readonly page: SentPage }>();

  constructor(library: Library) {
    this.#library = library;
  }

  /** The episode as it is now; null: there is none. */
  async follow(key: string): Promise<Follower | null> {
    const known = this.#followers.get(key);
    if (known) {
      await known.refresh();
      return known;
    }
    const recording = await this.#library.open(key);
    if (recording === null) return null;
    const follower = new Follower(recording, () => this.#library.open(key));
    keep(this.#followers, key, follower);
    return follower;
  }

  /** Remembers what a browser is about to be sent; the name stands in the stream's address. */
  note(key: string, view: EpisodeView, layout: StepLayout): string {
    const name = randomBytes(8).toString("hex");
    keep(this.#pages, name, { key, page: new SentPage(view, layout) });
    return name;
  }

  /** What the browser with this page has; null: it is not known any more. */
  page(key: string, name: string): SentPage | null {
    const known = this.#pages.get(name);
    return known?.key === key ? known.page : null;
  }
}

function keep<T>(kept: Map<string, T>, key: string, value: T): void {
  kept.set(key, value);
  const [oldest] = kept.keys();
  if (kept.size > keptAtMost && oldest !== undefined) kept.delete(oldest);
}
