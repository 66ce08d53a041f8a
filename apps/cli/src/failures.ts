import { ApiError, SalesChannelError, UnauthenticatedError } from '@saleschannel/sdk';

const placeOf = ({ pointer, parameter }: ApiError['errors'][number]): string =>
  pointer?.replace(/^#\//, '') ?? parameter ?? 'request';

/** Why a command failed, for whoever typed it. */
export function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (!(error instanceof SalesChannelError)) return error.message;
  const request = error.requestId === undefined ? [] : [`  request id: ${error.requestId}`];
  if (!(error instanceof ApiError)) return [error.message, ...request].join('\n');
  const faults = error.errors.map((fault) => `  ${placeOf(fault)}: ${fault.detail} (${fault.code})`);
  const cure = error instanceof UnauthenticatedError ? ['  sign in again: scs login'] : [];
  return [`${error.title}: ${error.detail}`, ...faults, ...cure, ...request].join('\n');
}
