import type { IncomingMessage } from 'node:http';
import { isIPv6 } from 'node:net';
import { DomainError, type ErrorCode } from '@saleschannel/errors';
import type { Logger } from '@saleschannel/runtime';

const MAPPED_IPV4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/** Returns the unit that limits count as one address. An IPv6 client usually controls all 2^64 of its network. */
export function toNetwork(address: string): string {
  const mapped = MAPPED_IPV4.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  if (!isIPv6(address)) return address;
  const [head = '', tail] = address.toLowerCase().split('%')[0]?.split('::') ?? [];
  const start = head === '' ? [] : head.split(':');
  const end = tail === undefined || tail === '' ? [] : tail.split(':');
  const groups =
    tail === undefined
      ? start
      : [...start, ...Array.from({ length: 8 - start.length - end.length }, () => '0'), ...end];
  return groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':');
}

export function readRequestId({ headers }: IncomingMessage, charactersAtMost: number): string | undefined {
  const id = headers['x-request-id'];
  return typeof id === 'string' && id.length <= charactersAtMost && /^[\w.-]+$/.test(id) ? id : undefined;
}

/** Logs an error that is a fault of the installation. A client's faults are not logged. */
export function logFailure(logger: Logger, error: DomainError, about: { readonly operation: string }): void {
  const fields = { err: error.cause ?? error, ...about };
  if (error.code === 'internal') logger.error(fields, `${about.operation} failed`);
  else if (error.code === 'unavailable') logger.warn(fields, `${about.operation}: ${error.message}`);
}

/**
 * Runs work whose calls present our own credentials. A service that rejects them is a fault of the installation, not of
 * the client.
 * @param rejections codes with which services reject credentials
 * @param isOfClient whether an error is about the credentials of the client after all
 * @throws DomainError 'internal' in place of such a rejection
 */
export async function withOwnCredentials<T>(
  rejections: readonly ErrorCode[],
  work: () => Promise<T>,
  isOfClient: (error: DomainError) => boolean = () => false,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const isOurs = error instanceof DomainError && rejections.includes(error.code) && !isOfClient(error);
    if (!isOurs) throw error;
    throw new DomainError('internal', 'The request could not be completed.', { cause: error });
  }
}
