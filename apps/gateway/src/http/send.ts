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

/** Sends headers only, without Content-Length, which would describe the omitted content (RFC 9110 section 8.6). */
export function sendHeaders(response: ServerResponse, status: number, headers: ResponseHeaders): void {
  response.writeHead(status, headers);
  response.end();
}

/**
 * Sends a body as it is produced. Headers wait for the first piece, so that an earlier failure can still be answered. A
 * later failure closes the connection, the only way to report an incomplete body.
 * @param isHead true: sends headers only
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
    // Without waiting: the signal of the request stops a busy producer.
    void iterator.return?.().catch(() => undefined);
  }
}

/** Size of one write. Progress of the client is measured in whole writes. */
const SLICE_BYTES = 16_384;
const UTF8_BYTES_PER_UNIT_AT_MOST = 3;

export async function sendSlices(
  response: ServerResponse,
  status: number,
  headers: ResponseHeaders,
  body: string | Buffer,
): Promise<void> {
  // Node sends a short string and its headers in one write.
  if (typeof body === 'string' && body.length * UTF8_BYTES_PER_UNIT_AT_MOST <= SLICE_BYTES)
    return sendBody(response, status, headers, body);
  const bytes = Buffer.isBuffer(body) ? body : Buffer.from(body);
  if (bytes.length <= SLICE_BYTES) return sendBody(response, status, headers, bytes);
  headers['Content-Length'] = bytes.length;
  response.writeHead(status, headers);
  await write(response, bytes);
  if (!response.destroyed) response.end();
}

async function write(response: ServerResponse, piece: string | Buffer): Promise<void> {
  const bytes = Buffer.isBuffer(piece) ? piece : Buffer.from(piece);
  for (let at = 0; at < bytes.length && !response.destroyed; at += SLICE_BYTES) {
    if (!response.write(bytes.subarray(at, at + SLICE_BYTES))) await drained(response);
  }
}

function drained(response: ServerResponse): Promise<void> | undefined {
  if (response.destroyed) return undefined;
  return new Promise((resolve) => {
    const done = (): void => {
      response.off('drain', done).off('close', done);
      resolve();
    };
    response.on('drain', done).on('close', done);
  });
}
