import { isNativeError } from 'node:util/types';
import { DomainError, errorCodes, unavailable } from '@saleschannel/errors';

/**
 * Errors are transient or permanent. After a transient error, the same work may succeed later, so it is retried without
 * end. Any other error is permanent: the data are wrong (classes 22 and 23), a rule of the database or of the code
 * refuses them, or the code has a defect.
 */

/**
 * Transient classes of SQLSTATE: connection, authorization (passwords and roles are being changed), transaction
 * rollback (deadlock, serialization), access rules and schema (rights were revoked, or the schema belongs to another
 * release: during a restore, or after a rollback over a migration), insufficient resources, operator intervention
 * (shutdown, cancel), system error (input and output), internal error. The last two may mean damage or a defect of the
 * server. They do not depend on the data either, and giving up a message because of them would lose accepted work.
 */
const transientClasses = new Set(['08', '28', '40', '42', '53', '57', '58', 'XX']);

/** Permanent states of these classes. */
const permanentStates = new Set([
  '40002', // transaction_integrity_constraint_violation: a constraint refuses the transaction, like class 23
  '42601', // syntax_error: a defect of the code, with any schema
]);

const transientStates = new Set([
  '25006', // read_only_sql_transaction: the address leads to a standby
  '25P03', // idle_in_transaction_session_timeout: this process stalled
  '25P04', // transaction_timeout
  '3D000', // invalid_catalog_name: the database is being created or restored
  '3F000', // invalid_schema_name: the schema is being created or restored
  '55006', // object_in_use
  '55P03', // lock_not_available
]);

/** States that mean that another transaction holds these rows. The server works, and other rows may be free. */
const contendedStates = new Set(['40001', '40P01', '55P03', '57014']);

/** Node's codes for the network and the resolver, and for a process without free file descriptors. */
const transientCodes = new Set([
  'EADDRNOTAVAIL',
  'EAI_AGAIN',
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTDOWN',
  'EHOSTUNREACH',
  'EMFILE',
  'ENETDOWN',
  'ENETRESET',
  'ENETUNREACH',
  'ENFILE',
  'ENOBUFS',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
]);

/** Message of the driver when a response times out. */
export const QUERY_TIMEOUT_MESSAGE = 'Query read timeout';

/** Messages of the driver, whose connection errors have no codes. */
const transientMessages = [
  'Connection terminated',
  QUERY_TIMEOUT_MESSAGE,
  'timeout exceeded when trying to connect',
  'timeout expired',
  'Client has encountered a connection error',
  'Client was closed and is not queryable',
  'Cannot use a pool after calling end',
];
/**
 * The server uses this state for many errors, and translates its messages. So the routine in its source, which it also
 * names, identifies the error.
 */
const FEATURE_NOT_SUPPORTED = '0A000';
const PLAN_CHECK = 'RevalidateCachedQuery';
const INVALID_STATEMENT_NAME = '26000';

const SQLSTATE_FORM = /^[0-9A-Z]{5}$/;
const MAX_CAUSES = 5;

export const UNIQUE_VIOLATION = '23505';

/** Returns the SQLSTATE of an error of the driver or the ORM, for instance 23505 for a violated unique constraint. */
export function sqlState(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | undefined)?.code;
  return typeof code === 'string' ? code : undefined;
}

function isTransientCode(code: string): boolean {
  if (transientCodes.has(code) || transientStates.has(code)) return true;
  return SQLSTATE_FORM.test(code) && transientClasses.has(code.slice(0, 2)) && !permanentStates.has(code);
}

const isTransientMessage = (message: string): boolean => transientMessages.some((known) => message.includes(known));

/**
 * True if the connection's prepared statement is invalid: a migration changed its result type, or it was deallocated. A
 * new connection prepares it again.
 */
export const isPlanOutdated = (error: unknown): boolean =>
  isNativeError(error) &&
  (sqlState(error) === INVALID_STATEMENT_NAME ||
    (sqlState(error) === FEATURE_NOT_SUPPORTED && (error as { routine?: unknown }).routine === PLAN_CHECK));

/** True if the error disappears by itself or through an operator, so that a retry is right. See above. */
export function isTransient(error: unknown, maxCauses = MAX_CAUSES): boolean {
  if (error instanceof DomainError) return errorCodes[error.code].retryable;
  if (!isNativeError(error)) return false;
  if (isPlanOutdated(error)) return true;
  const code = sqlState(error);
  if (code !== undefined && SQLSTATE_FORM.test(code)) return isTransientCode(code);
  if ((code !== undefined && isTransientCode(code)) || isTransientMessage(error.message)) return true;
  return maxCauses > 0 && isTransient(error.cause, maxCauses - 1);
}

/**
 * True if another transaction holds what the work needs, such as a row, and other work may continue meanwhile. Also
 * true for an 'unavailable' error with such a cause.
 */
export function isContended(error: unknown): boolean {
  if (!isNativeError(error)) return false;
  const state = sqlState(error);
  return (state !== undefined && contendedStates.has(state)) || isContended(error.cause);
}

/** True if the server did not answer a statement in time, which makes its connection useless. */
export const isResponseTimeout = (error: unknown): boolean =>
  isNativeError(error) && error.message === QUERY_TIMEOUT_MESSAGE;

/** Converts transient errors to 'unavailable'. Returns others unchanged. */
export function toUnavailable(error: unknown): unknown {
  if (error instanceof DomainError || !isTransient(error)) return error;
  return unavailable(error);
}
