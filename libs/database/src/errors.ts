import { DomainError, unavailable } from '@saleschannel/errors';

/** Connection lost, refused or shutting down, too many connections: the database cannot be reached now. */
const unreachableStates = /^(08|57P0|53300)/;
const unreachableCodes = new Set(['ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', 'EPIPE', 'ENOTFOUND', 'EAI_AGAIN']);
const unreachableMessages = /Connection terminated|timeout exceeded when trying to connect/;

export const UNIQUE_VIOLATION = '23505';

/** The SQLSTATE behind an error of the driver or the ORM, for instance 23505 for a broken unique constraint. */
export function sqlState(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | undefined)?.code;
  return typeof code === 'string' ? code : undefined;
}

/** True when the database could not be reached at all, so that waiting and trying again is right. */
export function isDatabaseUnreachable(error: unknown): boolean {
  if (error instanceof DomainError) return error.code === 'unavailable';
  const code = sqlState(error);
  const isCode = code !== undefined && (unreachableStates.test(code) || unreachableCodes.has(code));
  return isCode || (error instanceof Error && unreachableMessages.test(error.message));
}

/** Errors that mean "not now" as such. All others as they are. */
export function asUnavailable(error: unknown): unknown {
  if (error instanceof DomainError || !isDatabaseUnreachable(error)) return error;
  return unavailable(error);
}
