import { isNativeError } from 'node:util/types';
import { DomainError, errorCodes, unavailable } from '@saleschannel/errors';

/**
 * What a fault says about the work that met it. There are two kinds. A transient one says nothing: the same work may
 * succeed later, so it is tried again and never given up. Everything else is a judgement: the data are wrong (classes
 * 22 and 23), a rule of the database or of the code refuses them, or the code has a defect.
 */

/**
 * Classes of SQLSTATE that are transient as a whole: connection, authorization (passwords and roles are being
 * changed), transaction rollback (deadlock, serialization), access rules and schema (rights were withdrawn, or the
 * schema is that of another release: a restore is under way, or a release was taken back over a migration),
 * insufficient resources, operator intervention (shutdown, cancel), system error (input and output), internal error.
 * The last ones may be damage or a defect of the server. They are no judgement on the data either, and giving up a
 * message for them would lose what was accepted.
 */
const transientClasses = new Set(['08', '28', '40', '42', '53', '57', '58', 'XX']);

/** What these classes have that no time mends. */
const judgements = new Set([
  '40002', // transaction_integrity_constraint_violation: a constraint refuses the transaction, as class 23 does
  '42601', // syntax_error: of the code, whatever the schema
]);

const transientStates = new Set([
  '25006', // read_only_sql_transaction: the address leads to a standby
  '25P03', // idle_in_transaction_session_timeout: this process stood still
  '25P04', // transaction_timeout
  '3D000', // invalid_catalog_name: the database is being made, or restored
  '3F000', // invalid_schema_name: the schema is being made, or restored
  '55006', // object_in_use
  '55P03', // lock_not_available
]);

/** Someone else is in the way of these rows. The server is there, and other rows may be free. */
const contendedStates = new Set(['40001', '40P01', '55P03', '57014']);

/** Of the network and of the resolver, as Node names them; and of this process, when it has no file handle left. */
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

/** Of the driver, when an answer does not come in time. */
export const QUERY_TIMEOUT_MESSAGE = 'Query read timeout';

/** The driver has no codes for what happens to its connections. */
const transientMessages = [
  'Connection terminated',
  QUERY_TIMEOUT_MESSAGE,
  'timeout exceeded when trying to connect',
  'timeout expired',
  'Client has encountered a connection error',
  'Client was closed and is not queryable',
  'Cannot use a pool after calling end',
];
/** The server has a state for many things here, and its words are translated. It also names the place in its code. */
const FEATURE_NOT_SUPPORTED = '0A000';
const PLAN_CHECK = 'RevalidateCachedQuery';
const INVALID_STATEMENT_NAME = '26000';

const SQLSTATE_FORM = /^[0-9A-Z]{5}$/;
const CAUSES_AT_MOST = 5;

export const UNIQUE_VIOLATION = '23505';

/** The SQLSTATE behind an error of the driver or the ORM, for instance 23505 for a broken unique constraint. */
export function sqlState(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | undefined)?.code;
  return typeof code === 'string' ? code : undefined;
}

function isTransientCode(code: string): boolean {
  if (transientCodes.has(code) || transientStates.has(code)) return true;
  return SQLSTATE_FORM.test(code) && transientClasses.has(code.slice(0, 2)) && !judgements.has(code);
}

const isTransientMessage = (message: string): boolean => transientMessages.some((known) => message.includes(known));

/**
 * True when the connection's prepared statement does not fit any more: a migration has changed the type of what it
 * answers, or somebody has thrown it away. A new connection prepares it anew.
 */
export const isPlanOutdated = (error: unknown): boolean =>
  isNativeError(error) &&
  (sqlState(error) === INVALID_STATEMENT_NAME ||
    (sqlState(error) === FEATURE_NOT_SUPPORTED && (error as { routine?: unknown }).routine === PLAN_CHECK));

/**
 * True when the fault goes away by itself or by what an operator mends, so that trying again is right. See the head of
 * this file.
 */
export function isTransient(error: unknown, causesAtMost = CAUSES_AT_MOST): boolean {
  if (error instanceof DomainError) return errorCodes[error.code].retryable;
  if (!isNativeError(error)) return false;
  if (isPlanOutdated(error)) return true;
  const code = sqlState(error);
  if (code !== undefined && SQLSTATE_FORM.test(code)) return isTransientCode(code);
  if ((code !== undefined && isTransientCode(code)) || isTransientMessage(error.message)) return true;
  return causesAtMost > 0 && isTransient(error.cause, causesAtMost - 1);
}

/**
 * True when somebody else holds what the work needs, a row for instance: other work may go on meanwhile. Also of an
 * error that says "unavailable" for that reason.
 */
export function isContended(error: unknown): boolean {
  if (!isNativeError(error)) return false;
  const state = sqlState(error);
  return (state !== undefined && contendedStates.has(state)) || isContended(error.cause);
}

/** True when the server did not answer a statement in time: its connection is of no more use. */
export const isAnswerMissing = (error: unknown): boolean =>
  isNativeError(error) && error.message === QUERY_TIMEOUT_MESSAGE;

/** Errors that mean "not now" as such. All others as they are. */
export function asUnavailable(error: unknown): unknown {
  if (error instanceof DomainError || !isTransient(error)) return error;
  return unavailable(error);
}
