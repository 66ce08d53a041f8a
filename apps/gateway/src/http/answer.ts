import type { ServerResponse } from 'node:http';
import type { Request } from 'express';
import type { MayBeUnchanged, OperationId, Success } from '../contract/operations.ts';

export type ResponseHeaders = Record<string, string | number>;

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

type Headers = Readonly<Record<string, string>>;

/** Answer of a handler. The pipeline adds the common headers. */
export interface Answer<Status extends number = number, Content = unknown> {
  readonly status: Status;
  /** Undefined for an answer without content. */
  readonly contentType: string | undefined;
  readonly headers?: Headers;
  readonly body: string | Buffer | AsyncIterable<string | Buffer>;
  /** Type of the content. Never set. */
  readonly content?: Content;
}

/** Answer to an operation, as the contract describes it. */
export type AnswerTo<Id extends OperationId> =
  | (Success<Id> extends infer Promised
      ? Promised extends { status: infer Status extends number; content: infer Content }
        ? Answer<Status, Content>
        : never
      : never)
  | (MayBeUnchanged<Id> extends true ? Answer<304, never> : never);

const JSON_TYPE = 'application/json';

export const createJsonAnswer = <Status extends number, Content>(
  status: Status,
  content: Content,
  headers: Headers = {},
): Answer<Status, Content> => ({ status, contentType: JSON_TYPE, body: JSON.stringify(content), headers });

/** Creates an answer with the unchanged JSON of a service, so that numbers stay exact. */
export const createRenderedAnswer = <Status extends number>(
  status: Status,
  body: Buffer | AsyncIterable<Buffer>,
  headers: Headers = {},
): Answer<Status, never> => ({ status, contentType: JSON_TYPE, body, headers });

/** Creates an answer with the unchanged data of a reply. */
export const createReplyAnswer = async (reply: Promise<{ readonly data: Buffer }>): Promise<Answer<200, never>> =>
  createRenderedAnswer(200, (await reply).data);

/** Creates an answer that confirms the client's copy (RFC 9110 section 15.4.5). */
export const createNotModified = (headers: Headers): Answer<304, never> => ({
  status: 304,
  contentType: undefined,
  body: '',
  headers,
});

export const createNdjsonAnswer = (lines: readonly string[], headers: Headers = {}): Answer<200, never> => ({
  status: 200,
  contentType: 'application/x-ndjson',
  body: lines.map((line) => `${line}\n`).join(''),
  headers,
});

/** Includes a header record (RFC 4180). */
const CSV_TYPE = 'text/csv;charset=utf-8;header=present';

/** Accepted media types, whose parameters must match exactly. */
const csvTypes = ['text/csv', 'text/csv;charset=utf-8', 'text/csv;header=present', CSV_TYPE];

/** Whether the client prefers CSV to JSON, the default (RFC 9110 section 12.5.1). */
export const prefersCsv = (request: Request): boolean =>
  csvTypes.includes(String(request.accepts(['application/json', ...csvTypes])));

export const createCsvAnswer = (
  name: string,
  body: string | Buffer | AsyncIterable<string | Buffer>,
  headers: Headers = {},
): Answer<200, string> => ({
  status: 200,
  contentType: CSV_TYPE,
  headers: { ...headers, 'Content-Disposition': `attachment; filename="${name}.csv"` },
  body,
});

/** Minimum size of a written piece, so that small lists are sent at once. */
const PIECE_CHARACTERS = 16_384;

/** Creates a JSON array, written as messages arrive. */
export const streamJsonArray = <Message, Item>(
  messages: AsyncIterable<Message>,
  render: (message: Message) => Item,
): Answer<200, Item[]> => ({
  status: 200,
  contentType: JSON_TYPE,
  body: pieces(messages, (message) => JSON.stringify(render(message)), { start: '[', between: ',', end: ']' }),
});

/** Creates CSV records, written as messages arrive. */
export const streamCsv = <Message>(
  name: string,
  messages: AsyncIterable<Message>,
  { header, record }: { readonly header: string; readonly record: (message: Message) => string },
): Answer<200, string> => createCsvAnswer(name, pieces(messages, record, { start: header, between: '', end: '' }));

async function* pieces<Message>(
  messages: AsyncIterable<Message>,
  write: (message: Message) => string,
  { start, between, end }: { readonly start: string; readonly between: string; readonly end: string },
): AsyncGenerator<string> {
  let piece = start;
  let isFirst = true;
  for await (const message of messages) {
    piece += (isFirst ? '' : between) + write(message);
    isFirst = false;
    if (piece.length >= PIECE_CHARACTERS) {
      yield piece;
      piece = '';
    }
  }
  yield piece + end;
}
