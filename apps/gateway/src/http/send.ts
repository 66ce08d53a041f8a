import type { ServerResponse } from 'node:http';

export type ResponseHeaders = Record<string, string | number>;

/** Sends a whole body. */
export function sendBody(
  response: ServerResponse,
  status: number,
  headers: ResponseHeaders,
  body: string | Buffer,
): void {
  headers['Content-Length'] = Buffer.byteLength(body);
  response.writeHead(status, headers);
  response.end(body);
}

/**
 * Sends a body that is still being made. The status waits for the first piece, so a failure before it is thrown and can
 * still be answered properly. After it a failure breaks the connection, which is the only way left to tell the client
 * that the body is not whole.
 * @param isHead true: the headers go out, the body does not
 */
export async function sendStream(
  response: ServerResponse,
  status: number,
  headers: ResponseHeaders,
  body: AsyncIterable<string | Buffer>,
  isHead: boolean,
): Promise<void> {
  const iterator = body[Symbol.asyncIterator]();
  let current = await iterator.next();
  try {
    if (current.done !== true && !response.destroyed) {
      const first = current.value;
      current = isHead ? current : await iterator.next();
      if (current.done === true) {
        sendBody(response, status, headers, first);
        return;
      }
      response.writeHead(status, headers);
      if (!isHead) await write(response, first);
    } else if (!response.destroyed) {
      sendBody(response, status, headers, '');
      return;
    }
    while (!isHead && current.done !== true && !response.destroyed) {
      await write(response, current.value);
      current = await iterator.next();
    }
    if (!response.destroyed) response.end();
  } catch (error) {
    if (!response.headersSent) throw error;
    response.destroy();
  } finally {
    // Without waiting: a producer that is in the middle of a piece is told by the signal of the request.
    void iterator.return?.().catch(() => undefined);
  }
}

function write(response: ServerResponse, piece: string | Buffer): Promise<void> | undefined {
  if (response.write(piece) || response.destroyed) return undefined;
  return new Promise((resolve) => {
    const done = (): void => {
      response.off('drain', done).off('close', done);
      resolve();
    };
    response.on('drain', done).on('close', done);
  });
}
