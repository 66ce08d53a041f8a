import type { IncomingMessage, ServerResponse } from 'node:http';

/** Bytes still read of a refused body, so that its sender sees the answer instead of a broken connection. */
const DISCARDED_BYTES_AT_MOST = 8 * 1_024 * 1_024;
const DISCARD_TIMEOUT_MS = 5_000;

/** After an answer that did not wait for the end of the request: discards the rest of the body, within limits. */
export function discardRest(request: IncomingMessage, response: ServerResponse): void {
  if (request.complete || request.destroyed) return;
  let left = DISCARDED_BYTES_AT_MOST;
  const giveUp = setTimeout(() => request.destroy(), DISCARD_TIMEOUT_MS);
  const done = (): void => clearTimeout(giveUp);
  request.on('data', (piece: Buffer) => {
    left -= piece.length;
    if (left < 0) request.destroy();
  });
  request.once('end', done).once('close', done).once('error', done);
  response.once('error', done);
  request.resume();
}
