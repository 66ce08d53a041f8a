import { isUtf8 } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { DomainError } from '@saleschannel/errors';
import { parseJson, type JsonLimits } from './json.ts';
import { throwRefusal } from './refusals.ts';

export interface ByteLimits {
  readonly maxBytes: number;
  /** Deadline for the last byte, counted from the start of reading. */
  readonly timeoutMs: number;
  /** Queue for large bodies. Without it they are read at once. */
  readonly largeBodies?: LargeBodyQueue;
}

/** Lets large bodies wait unread, so that they use no memory here. */
export interface LargeBodyQueue {
  /** A body with more bytes waits before the rest of it is read. */
  readonly thresholdBytes: number;
  /** Resolves when the body may be read. Rejects if the queue is full, or if the body waited too long. */
  wait(): Promise<void>;
}

export interface BodyLimits extends ByteLimits {
  readonly json: JsonLimits;
}

/** Maximum bytes read of a body that should be absent, to tell whether it is empty. */
const NO_BODY_BYTES_AT_MOST = 1_024;

const unsupported = (detail: string): DomainError => new DomainError('unsupported-media-type', detail);

export const hasBody = (request: IncomingMessage): boolean => {
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
  return encoding !== undefined || (length !== undefined && length !== '0');
};

/** Finds the media type of a body. @throws DomainError 'unsupported-media-type', or 'malformed-body' without a body */
export function matchMediaType<T>(
  request: IncomingMessage,
  supported: ReadonlyMap<string, T>,
): [mediaType: string, value: T] {
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding.trim().toLowerCase() !== 'identity')
    throw unsupported('The operation does not support Content-Encoding: send the body unencoded.');
  const header = request.headers['content-type'];
  if (header === undefined && !hasBody(request)) throw new DomainError('malformed-body', 'A body is required.');
  const asWritten = header === undefined ? undefined : supported.get(header);
  if (header !== undefined && asWritten !== undefined) return [header, asWritten];
  const [essence = 'none', ...parameters] =
    header
      ?.toLowerCase()
      .split(';')
      .map((part) => part.trim()) ?? [];
  const found = supported.get(essence);
  if (found === undefined) throw unsupported(`The Content-Type must be ${[...supported.keys()].join(' or ')}.`);
  const charset = parameters.find((part) => part.startsWith('charset='));
  if (charset !== undefined && !/^charset="?utf-?8"?$/.test(charset)) throw unsupported('The charset must be UTF-8.');
  return [essence, found];
}

/** Reads a body as JSON. @throws DomainError 'payload-too-large', 'malformed-body', 'invalid-request' */
export const readJson = async (request: IncomingMessage, limits: BodyLimits): Promise<unknown> =>
  parseJson(toText(await readBytes(request, limits)), limits.json);

/**
 * Parses the body of an HTML form (`application/x-www-form-urlencoded`).
 * @param fieldsAtMost more fields are refused before any is decoded
 * @throws DomainError 'payload-too-large', 'malformed-body'
 */
export function parseForm(bytes: Uint8Array, fieldsAtMost: number): URLSearchParams {
  const text = toText(bytes);
  let separator = -1;
  for (let count = 1; (separator = text.indexOf('&', separator + 1)) !== -1; count += 1) {
    if (count >= fieldsAtMost)
      throw new DomainError('payload-too-large', `The form must have at most ${fieldsAtMost} fields.`);
  }
  return new URLSearchParams(text);
}

/** Refuses any body but an empty object, which some clients always send. @throws DomainError 'invalid-request' */
export async function refuseBody(
  request: IncomingMessage,
  { timeoutMs }: Pick<ByteLimits, 'timeoutMs'>,
): Promise<void> {
  if (!hasBody(request)) return;
  const text = await readBytes(request, { maxBytes: NO_BODY_BYTES_AT_MOST, timeoutMs }).then(
    (bytes) => bytes.toString('latin1').trim(),
    (error: unknown) => {
      if (error instanceof DomainError && error.code === 'payload-too-large') return 'too large';
      throw error;
    },
  );
  if (text !== '' && !/^\{\s*\}$/.test(text)) {
    throwRefusal({ pointer: '#', detail: 'must be absent, because the operation takes no body', code: 'no-body' });
  }
}

/** Reads a body as UTF-8. @throws DomainError 'payload-too-large', 'malformed-body' */
export const readText = async (request: IncomingMessage, limits: ByteLimits): Promise<string> =>
  toText(await readBytes(request, limits));

/** @throws DomainError 'malformed-body' */
function toText(bytes: Uint8Array): string {
  if (!isUtf8(bytes)) throw new DomainError('malformed-body', 'The body must be valid UTF-8.');
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
}

/** Reads a body as it is. Check its media type first. @throws DomainError 'payload-too-large', 'malformed-body' */
export function readBytes(request: IncomingMessage, { maxBytes, timeoutMs, largeBodies }: ByteLimits): Promise<Buffer> {
  const tooLarge = (): DomainError =>
    new DomainError('payload-too-large', `The body must have at most ${maxBytes} bytes.`);
  const declared = Number(request.headers['content-length'] ?? 0);
  if (declared > maxBytes) return Promise.reject(tooLarge());
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    let size = 0;
    const end = (error: Error | undefined): void => {
      clearTimeout(timeout);
      request.off('data', onData).off('end', onEnd).off('error', onError).off('close', onClose);
      if (error) reject(error);
      else resolve(pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces));
    };
    let hasWaited = false;
    const waitIfLarge = (known: number): void => {
      if (!largeBodies || hasWaited || known <= largeBodies.thresholdBytes) return;
      hasWaited = true;
      request.pause();
      largeBodies.wait().then(() => request.resume(), end);
    };
    const onData = (piece: Buffer): void => {
      size += piece.length;
      pieces.push(piece);
      if (size > maxBytes) end(tooLarge());
      else waitIfLarge(size);
    };
    const onEnd = (): void => end(undefined);
    const onError = (error: Error): void =>
      end(new DomainError('malformed-body', 'The body is incomplete: send it again.', { cause: error }));
    const onClose = (): void => end(new DomainError('malformed-body', 'The body is incomplete: send it again.'));
    const timeout = setTimeout(
      () => end(new DomainError('malformed-body', 'The body did not arrive in time: send it again.')),
      timeoutMs,
    );
    request.on('data', onData).on('end', onEnd).on('error', onError).on('close', onClose);
    waitIfLarge(declared);
  });
}

/** Bytes still read of a refused body, so that its sender gets the answer instead of a broken connection. */
const DISCARDED_BYTES_AT_MOST = 8 * 1_024 * 1_024;
const DISCARD_TIMEOUT_MS = 5_000;

/** Discards the rest of a body after an early answer, within limits. */
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
