import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { DomainError } from '@saleschannel/errors';
import { valueOf } from '../contract/form.ts';
import { parseJson, type JsonLimits } from '../contract/json.ts';
import type { Check } from '../contract/schemas.ts';
import { refuse } from '../contract/violations.ts';

/** Of a body that is read as a whole. */
export interface BodyLimits {
  readonly bytes: number;
  /** A body that is still not there after this long is given up. */
  readonly timeoutMs: number;
  readonly json: JsonLimits;
}

/** How much is read of a body where none belongs, to see whether it says anything. */
const NO_BODY_BYTES_AT_MOST = 1_024;

const unsupported = (detail: string): DomainError => new DomainError('unsupported-media-type', detail);

export const hasBody = (request: IncomingMessage): boolean => {
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
  return encoding !== undefined || (length !== undefined && length !== '0');
};

/**
 * The media type of a body, with what is known of it, when the operation reads it.
 * @throws DomainError 'unsupported-media-type', or 'malformed-body' without a body
 */
export function mediaTypeOf<T>(request: IncomingMessage, known: ReadonlyMap<string, T>): [mediaType: string, known: T] {
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding.trim().toLowerCase() !== 'identity')
    throw unsupported('Content-Encoding is not supported: send the body as it is.');
  const header = request.headers['content-type'];
  if (header === undefined && !hasBody(request)) throw new DomainError('malformed-body', 'The operation needs a body.');
  const asWritten = header === undefined ? undefined : known.get(header);
  if (header !== undefined && asWritten !== undefined) return [header, asWritten];
  const [essence = 'none', ...parameters] =
    header
      ?.toLowerCase()
      .split(';')
      .map((part) => part.trim()) ?? [];
  const found = known.get(essence);
  if (found === undefined) throw unsupported(`Send ${[...known.keys()].join(' or ')}.`);
  const charset = parameters.find((part) => part.startsWith('charset='));
  if (charset !== undefined && !/^charset="?utf-?8"?$/.test(charset)) throw unsupported('Send the body in UTF-8.');
  return [essence, found];
}

/**
 * Reads and parses a JSON body and checks its form.
 * @throws DomainError 'payload-too-large', 'unsupported-media-type', 'malformed-body', 'invalid-request'
 */
export async function readJsonBody<T>(
  request: IncomingMessage,
  bodies: ReadonlyMap<string, Check<T>>,
  limits: BodyLimits,
): Promise<T> {
  const [, check] = mediaTypeOf(request, bodies);
  const bytes = await readBytes(request, limits);
  if (!isUtf8(bytes)) throw new DomainError('malformed-body', 'The body is not UTF-8.');
  return valueOf(check(parseJson(bytes.toString('utf8'), limits.json)));
}

/**
 * An operation without a body tolerates the empty object that some clients always send, and refuses anything that might
 * mean something.
 */
export async function refuseBody(request: IncomingMessage, { timeoutMs }: BodyLimits): Promise<void> {
  if (!hasBody(request)) return;
  const text = await readBytes(request, { bytes: NO_BODY_BYTES_AT_MOST, timeoutMs }).then(
    (bytes) => bytes.toString('latin1').trim(),
    (error: unknown) => {
      if (error instanceof DomainError && error.code === 'payload-too-large') return 'too large';
      throw error;
    },
  );
  if (text !== '' && !/^\{\s*\}$/.test(text)) {
    refuse({ pointer: '#', detail: 'must be absent: this operation takes no body', code: 'no-body' });
  }
}

function readBytes(
  request: IncomingMessage,
  { bytes: bytesAtMost, timeoutMs }: Pick<BodyLimits, 'bytes' | 'timeoutMs'>,
): Promise<Buffer> {
  const tooLarge = (): DomainError =>
    new DomainError('payload-too-large', `The body must have at most ${bytesAtMost} bytes.`);
  if (Number(request.headers['content-length'] ?? 0) > bytesAtMost) return Promise.reject(tooLarge());
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    let size = 0;
    const end = (error: Error | undefined): void => {
      clearTimeout(timeout);
      request.off('data', onData).off('end', onEnd).off('error', onError).off('close', onClose);
      if (error) reject(error);
      else resolve(pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces));
    };
    const onData = (piece: Buffer): void => {
      size += piece.length;
      pieces.push(piece);
      if (size > bytesAtMost) end(tooLarge());
    };
    const onEnd = (): void => end(undefined);
    const onError = (error: Error): void =>
      end(new DomainError('malformed-body', 'The body broke off.', { cause: error }));
    const onClose = (): void => end(new DomainError('malformed-body', 'The body broke off.'));
    const timeout = setTimeout(
      () => end(new DomainError('malformed-body', 'The body did not arrive in time.')),
      timeoutMs,
    );
    request.on('data', onData).on('end', onEnd).on('error', onError).on('close', onClose);
  });
}
