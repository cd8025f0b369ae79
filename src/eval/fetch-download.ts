import { createHash } from "node:crypto";
import { open } from "node:fs/promises";
import { PmcoderError } from "../domain/errors.ts";

export interface DownloadOptions {
  readonly signal: AbortSignal;
  /** Called with the bytes so far and, if the server says so, of how many. */
  readonly onProgress: (bytes: number, total: number | null) => void;
  /** Seconds without a byte after which the server counts as gone. */
  readonly idleSec?: number;
}

export interface Download {
  readonly bytes: number;
  /** Of what was written, hex. */
  readonly sha256: string;
  /** The commit that the hub gave the file from; null: it did not say. */
  readonly revision: string | null;
}

const maxRedirects = 5;

/**
 * Writes what a URL answers with into a file. Sizes and checksums that the server names are held
 * against what came (Hugging Face: `X-Linked-Size`, `X-Linked-Etag`, `X-Repo-Commit`, all on the
 * redirect). Throws PmcoderError `usage` when the server cannot be reached, refuses, or sends
 * something else than it named; `storage` when the file cannot be written.
 */
export async function download(
  url: string,
  file: string,
  options: DownloadOptions,
): Promise<Download> {
  const idle = idleSignal((options.idleSec ?? 60) * 1000);
  const signal = AbortSignal.any([options.signal, idle.signal]);
  try {
    const { response, named } = await follow(url, signal);
    const total = Number(response.headers.get("content-length")) || named.size;
    const got = await receive(response.body ?? [], file, (bytes) => {
      idle.restart();
      options.onProgress(bytes, total);
    });
    verify(url, got, { bytes: named.size ?? got.bytes, sha256: named.sha256 ?? got.sha256 });
    return { ...got, revision: named.revision };
  } catch (error) {
    if (options.signal.aborted) throw options.signal.reason;
    throw error instanceof PmcoderError ? error : unreachable(url, error);
  } finally {
    idle.stop();
  }
}

type Content = Pick<Download, "bytes" | "sha256">;

async function receive(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  file: string,
  onChunk: (bytes: number) => void,
): Promise<Content> {
  const hash = createHash("sha256");
  let bytes = 0;
  const target = await openFile(file);
  try {
    for await (const chunk of chunks) {
      hash.update(chunk);
      bytes += chunk.length;
      await target.write(chunk);
      onChunk(bytes);
    }
  } finally {
    await target.close();
  }
  return { bytes, sha256: hash.digest("hex") };
}

function verify(url: string, got: Content, named: Content): void {
  if (got.bytes === named.bytes && got.sha256 === named.sha256) return;
  throw refusal(
    url,
    `sent ${got.bytes} bytes with SHA-256 ${got.sha256}, not the ${named.bytes} with ${named.sha256} that it named`,
  );
}

interface Named {
  readonly size: number | null;
  readonly sha256: string | null;
  readonly revision: string | null;
}

/** The final answer, and what the answers on the way say of it. */
async function follow(url: string, signal: AbortSignal) {
  let at = url;
  let named: Named = { size: null, sha256: null, revision: null };
  for (let hop = 0; hop <= maxRedirects; hop += 1) {
    const headers = { "accept-encoding": "identity", "user-agent": "pmcoder" };
    const response = await fetch(at, { signal, headers, redirect: "manual" });
    named = heard(named, response.headers);
    const location = response.headers.get("location");
    const isRedirect = response.status >= 300 && response.status < 400 && location !== null;
    if (response.ok) return { response, named };
    await response.body?.cancel();
    if (!isRedirect) throw refusal(at, `answered with status ${response.status}`);
    at = new URL(location, at).href;
  }
  throw refusal(url, `redirects more than ${maxRedirects} times`);
}

function heard(before: Named, headers: Headers): Named {
  const etag = /^(?:W\/)?"?([0-9a-f]{64})"?$/.exec(headers.get("x-linked-etag") ?? "")?.[1];
  return {
    size: Number(headers.get("x-linked-size")) || before.size,
    sha256: etag ?? before.sha256,
    revision: headers.get("x-repo-commit") ?? before.revision,
  };
}

async function openFile(file: string) {
  const failed = (cause: Error) => {
    const message = `${file} cannot be written: ${cause.message}. Free the space or name another folder with XDG_DATA_HOME.`;
    throw new PmcoderError("storage", message, { cause });
  };
  const handle = await open(file, "w").catch(failed);
  return {
    write: (chunk: Uint8Array) => handle.appendFile(chunk).catch(failed),
    close: () =>
      handle
        .sync()
        .finally(() => handle.close())
        .catch(failed),
  };
}

/** A signal that aborts unless it is restarted in time. */
function idleSignal(ms: number) {
  const controller = new AbortController();
  const expire = () => controller.abort(new Error(`no answer for ${ms / 1000} s`));
  let timer = setTimeout(expire, ms);
  const stop = () => clearTimeout(timer);
  const restart = () => {
    stop();
    timer = setTimeout(expire, ms);
  };
  return { signal: controller.signal, restart, stop };
}

function refusal(url: string, what: string): PmcoderError {
  return new PmcoderError("usage", `${new URL(url).host} ${what}.`);
}

/** What lies below "fetch failed" is the reason that a user can do something about. */
function unreachable(url: string, error: unknown): PmcoderError {
  const inner = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const reason = inner instanceof Error ? inner.message : String(inner);
  const message = `${new URL(url).host} cannot be reached: ${reason}.`;
  return new PmcoderError("usage", message, { cause: error });
}
