import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { DomainError, invalidRequest } from '@saleschannel/errors';
import type { Check } from '../contract/schemas.ts';
import { refuseIfAny } from '../contract/violations.ts';
import { parseJson } from './json.ts';

/** A body that is still not there after this long is given up. */
const BODY_TIMEOUT_MS = 30_000;
/** How much is read of a body where none belongs, to see whether it says anything. */
const NO_BODY_BYTES_AT_MOST = 1_024;

const unsupported = (detail: string): DomainError => new DomainError('unsupported-media-type', detail);

export const hasBody = (request: IncomingMessage): boolean => {
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
  return encoding !== undefined || (length !== undefined && length !== '0');
};

/**
 * The media type of a body, when the operation reads it.
 * @throws DomainError 'unsupported-media-type'
 */
export function mediaTypeOf(request: IncomingMessage, known: ReadonlyMap<string, unknown>): string {
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding.trim().toLowerCase() !== 'identity')
    throw unsupported('Content-Encoding is not supported: send the body as it is.');
  const header = request.headers['content-type'];
  if (header !== undefined && known.has(header)) return header;
  const [essence = '', ...parameters] = (header ?? '')
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  if (!known.has(essence)) {
    if (header === undefined && !hasBody(request))
      throw new DomainError('malformed-body', 'The operation needs a body.');
    throw unsupported(`Send ${[...known.keys()].join(' or ')}.`);
  }
  const charset = parameters.find((part) => part.startsWith('charset='));
  if (charset !== undefined && !/^charset="?utf-?8"?$/.test(charset)) throw unsupported('Send the body in UTF-8.');
  return essence;
}

/**
 * Reads and parses a JSON body and checks its form.
 * @throws DomainError 'payload-too-large', 'unsupported-media-type', 'malformed-body', 'invalid-request'
 */
export async function readJsonBody(
  request: IncomingMessage,
  bodies: ReadonlyMap<string, Check>,
  bytesAtMost: number,
): Promise<unknown> {
  const check = bodies.get(mediaTypeOf(request, bodies));
  const bytes = await readBytes(request, bytesAtMost);
  if (!isUtf8(bytes)) throw new DomainError('malformed-body', 'The body is not UTF-8.');
  const value = parseJson(bytes.toString('utf8'));
  refuseIfAny(check?.(value));
  return value;
}

/** An operation without a body tolerates the empty object that some clients always send, and refuses anything that might mean something. */
export async function refuseBody(request: IncomingMessage): Promise<void> {
  if (!hasBody(request)) return;
  const text = await readBytes(request, NO_BODY_BYTES_AT_MOST).then(
    (bytes) => bytes.toString('latin1').trim(),
    (error: unknown) => {
      if (error instanceof DomainError && error.code === 'payload-too-large') return 'too large';
      throw error;
    },
  );
  if (text !== '' && !/^\{\s*\}$/.test(text))
    throw invalidRequest('This operation takes no body.', [
      { pointer: '#', detail: 'must be absent', code: 'no-body' },
    ]);
}

export function readBytes(request: IncomingMessage, bytesAtMost: number): Promise<Buffer> {
  const tooLarge = (): DomainError => new DomainError('payload-too-large', `The body may have ${bytesAtMost} bytes.`);
  if (Number(request.headers['content-length'] ?? 0) > bytesAtMost) return Promise.reject(tooLarge());
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    let size = 0;
    const settle = (error: Error | undefined): void => {
      clearTimeout(timeout);
      request.off('data', onData).off('end', onEnd).off('error', onError).off('close', onClose);
      if (error) reject(error);
      else resolve(pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces));
    };
    const onData = (piece: Buffer): void => {
      size += piece.length;
      pieces.push(piece);
      if (size > bytesAtMost) settle(tooLarge());
    };
    const onEnd = (): void => settle(undefined);
    const onError = (error: Error): void =>
      settle(new DomainError('malformed-body', 'The body broke off.', { cause: error }));
    const onClose = (): void => settle(new DomainError('malformed-body', 'The body broke off.'));
    const timeout = setTimeout(
      () => settle(new DomainError('malformed-body', 'The body did not arrive in time.')),
      BODY_TIMEOUT_MS,
    );
    request.on('data', onData).on('end', onEnd).on('error', onError).on('close', onClose);
  });
}
