/** Every environment variable that pmcoder itself reads; `main` hands `process.env` down as this. */
export interface Env {
  readonly HOME?: string | undefined;
  readonly XDG_CONFIG_HOME?: string | undefined;
  readonly XDG_CACHE_HOME?: string | undefined;
  readonly XDG_DATA_HOME?: string | undefined;
  readonly PMCODER_STATE?: string | undefined;
  /** `1`: failures are printed with their stack. */
  readonly PMCODER_DEBUG?: string | undefined;
  /** `off`: hooks and sidecars in other agents say and write nothing. */
  readonly PMCODER_HOOKS?: string | undefined;
  /** Milliseconds after which a hook ends, whatever happens. */
  readonly PMCODER_HOOK_MS?: string | undefined;
  readonly PMCODER_GITHUB_API?: string | undefined;
  readonly GITHUB_TOKEN?: string | undefined;
  readonly ANTHROPIC_API_KEY?: string | undefined;
  readonly OPENAI_API_KEY?: string | undefined;
  readonly PMCODER_API_KEY?: string | undefined;
  /** Any value but an empty one turns colours off (no-color.org). */
  readonly NO_COLOR?: string | undefined;
  readonly TERM?: string | undefined;
}

/** What the commands write to: `process.stdout`, `process.stderr`, or a test's own. */
export interface TextStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}
