import { types } from 'node:util';
import {
  ApiError,
  FreshSignInRequiredError,
  isOutcomeUnknown,
  SalesChannelError,
  UnauthenticatedError,
} from '@saleschannel/sdk';

/** Wrong arguments, files or variables: nothing was started. */
export class UsageError extends Error {
  override name = 'UsageError';
}

/** The command failed, and the message is complete. */
export class CommandError extends Error {
  override name = 'CommandError';
}

const formatLocation = ({ pointer, parameter }: ApiError['errors'][number]): string =>
  pointer?.replace(/^#\//, '') ?? parameter ?? 'request';

/** Errors of the platform may come from another realm. */
const isError = (error: unknown): error is Error => error instanceof Error || types.isNativeError(error);

/**
 * Adds details missing from the message: members of RFC 6749 from identity providers, and the cause of `fetch failed`,
 * which has only a code if a name has several addresses.
 */
function describeCause(failure: Error): string {
  const { cause, error, error_description: description } = failure as Error & Record<string, unknown>;
  if (typeof error === 'string') return `: ${error}${typeof description === 'string' ? `, ${description}` : ''}`;
  const { message, code } = (isError(cause) ? cause : {}) as { message?: string; code?: string };
  const words = message || code;
  return words === undefined ? '' : `: ${words}`;
}

/** Describes why a command failed. */
export function describeError(error: unknown): string {
  if (!isError(error)) return String(error);
  if (!(error instanceof SalesChannelError)) return `${error.message}${describeCause(error)}`;
  const request = [
    ...(error.requestId === undefined ? [] : [`  request id: ${error.requestId}`]),
    ...(isOutcomeUnknown(error) && error.idempotencyKey !== undefined
      ? [`  The request may have been carried out: repeat with --idempotency-key ${error.idempotencyKey}`]
      : []),
  ];
  if (!(error instanceof ApiError)) return [error.message, ...request].join('\n');
  const faults = error.errors.map((fault) => `  ${formatLocation(fault)}: ${fault.detail} (${fault.code})`);
  return [`${error.title}: ${error.detail}`, ...faults, ...adviseSignIn(error), ...request].join('\n');
}

/** Advice after a 401. */
function adviseSignIn(error: ApiError): string[] {
  if (!(error instanceof UnauthenticatedError)) return [];
  if (!(error instanceof FreshSignInRequiredError)) return ['  Sign in again: scs login'];
  const { acrValues } = error;
  const kind = acrValues.length === 0 ? '' : ` --acr "${acrValues.join(' ')}"`;
  return [
    `  Sign in again: scs login --fresh${kind}`,
    '  Then repeat the command, with the same --idempotency-key if it has one.',
  ];
}
