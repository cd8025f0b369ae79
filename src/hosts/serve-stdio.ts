import type { Readable, Writable } from "node:stream";
import {
  createMessageConnection,
  ErrorCodes,
  ResponseError,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-jsonrpc/node";
import { PmcoderError } from "../domain/errors.ts";
import type { Sidecar } from "./sidecar.ts";

/** Methods of the sidecar over JSON-RPC. */
const methods = ["begin", "observe", "verdict", "end", "recall", "status"] as const;

/**
 * Answers JSON-RPC 2.0 on two streams, each message after a `Content-Length` header, until the input
 * ends. What is wrong with a request is answered as an error and ends nothing.
 */
export async function serveStdio(
  sidecar: Sidecar,
  { input, output }: { readonly input: Readable; readonly output: Writable },
): Promise<void> {
  const connection = createMessageConnection(
    new StreamMessageReader(input),
    new StreamMessageWriter(output),
  );
  for (const method of methods) {
    connection.onRequest<object, void>(method, (params: unknown) =>
      answer(() => sidecar[method](params)),
    );
  }
  const closed = new Promise<void>((resolve) => connection.onClose(resolve));
  connection.onError(() => {});
  connection.listen();
  await closed;
  sidecar.close();
}

function answer(work: () => object): object | ResponseError<void> {
  try {
    return work();
  } catch (error) {
    const isOurs = error instanceof PmcoderError;
    const code = isOurs ? ErrorCodes.InvalidParams : ErrorCodes.InternalError;
    return new ResponseError(code, error instanceof Error ? error.message : String(error));
  }
}
