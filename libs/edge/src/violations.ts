import { invalidRequest, type DomainError, type Violation } from '@saleschannel/errors';

export const VIOLATIONS_AT_MOST = 20;

/** Creates an error with the violations. A single violation also becomes its detail. */
export function createRefusal(violations: readonly Violation[]): DomainError {
  const [first] = violations;
  const detail =
    first && violations.length === 1
      ? [first.parameter ?? first.pointer, `${first.detail}.`].filter((part) => part !== undefined).join(' ')
      : `${violations.length} members or parameters are not valid.`;
  return invalidRequest(detail, violations.slice(0, VIOLATIONS_AT_MOST));
}

/** @throws DomainError 'invalid-request' with this violation */
export function throwRefusal(violation: Violation): never {
  throw createRefusal([violation]);
}
