import type { IncomingMessage } from 'node:http';
import { DomainError, type ErrorCode } from '@saleschannel/errors';
import type { Logger } from '@saleschannel/runtime';

/** Returns the X-Request-Id of a client, if it is well-formed. */
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
