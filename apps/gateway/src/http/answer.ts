import type { ServerResponse } from 'node:http';

/** What a handler answers; the pipeline adds the headers that every answer has. */
export interface Answer {
  readonly status: number;
  readonly contentType: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string | Buffer | AsyncIterable<string | Buffer>;
}

export type Headers = Record<string, string | number>;

const JSON_TYPE = 'application/json';

export const json = (status: number, value: unknown, headers?: Readonly<Record<string, string>>): Answer => ({
  status,
  contentType: JSON_TYPE,
  body: JSON.stringify(value),
  ...(headers ? { headers } : {}),
});

/** JSON that its owner rendered: not a byte of it is touched, so its numbers stay exact. */
export const rendered = (
  status: number,
  body: Buffer | AsyncIterable<Buffer>,
  headers?: Readonly<Record<string, string>>,
): Answer => ({ status, contentType: JSON_TYPE, body, ...(headers ? { headers } : {}) });

/** Collected before a piece is written: small lists go out in one. */
const PIECE_CHARACTERS = 16_384;

/** A JSON array of messages, written while they arrive. */
export const jsonArray = <T>(messages: AsyncIterable<T>, render: (message: T) => unknown): Answer => ({
  status: 200,
  contentType: JSON_TYPE,
  body: pieces(messages, render),
});

async function* pieces<T>(messages: AsyncIterable<T>, render: (message: T) => unknown): AsyncGenerator<string> {
  let piece = '[';
  let isFirst = true;
  for await (const message of messages) {
    piece += (isFirst ? '' : ',') + JSON.stringify(render(message));
    isFirst = false;
    if (piece.length >= PIECE_CHARACTERS) {
      yield piece;
      piece = '';
    }
  }
  yield `${piece}]`;
}

/** Sends a whole body. */
export function sendBody(response: ServerResponse, status: number, headers: Headers, body: string | Buffer): void {
  headers['Content-Length'] = Buffer.byteLength(body);
  response.writeHead(status, headers);
  response.end(body);
}

/**
 * Sends a body that is still being made: the status waits for the first piece, so a failure before it is thrown and can still be answered properly. After
 * it a failure breaks the connection, which is the only way left to tell the client that the body is not whole.
 */
export async function sendStream(
  response: ServerResponse,
  status: number,
  headers: Headers,
  body: AsyncIterable<string | Buffer>,
  bodyless: boolean,
): Promise<void> {
  const iterator = body[Symbol.asyncIterator]();
  let current = await iterator.next();
  try {
    if (current.done !== true && !response.destroyed) {
      const first = current.value;
      current = bodyless ? current : await iterator.next();
      if (current.done === true) {
        sendBody(response, status, headers, first);
        return;
      }
      response.writeHead(status, headers);
      if (!bodyless) await write(response, first);
    } else if (!response.destroyed) {
      sendBody(response, status, headers, '');
      return;
    }
    while (!bodyless && current.done !== true && !response.destroyed) {
      await write(response, current.value);
      current = await iterator.next();
    }
    if (!response.destroyed) response.end();
  } catch (error) {
    if (!response.headersSent) throw error;
    response.destroy();
  } finally {
    // Without waiting: a producer that is in the middle of a piece is told by the signal of the exchange.
    void iterator.return?.().catch(() => undefined);
  }
}

function write(response: ServerResponse, piece: string | Buffer): Promise<void> | undefined {
  if (response.write(piece) || response.destroyed) return undefined;
  return new Promise((resolve) => {
    const go = (): void => {
      response.off('drain', go).off('close', go);
      resolve();
    };
    response.on('drain', go).on('close', go);
  });
}
