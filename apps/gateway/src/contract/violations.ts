import { invalidRequest, type Violation } from '@saleschannel/errors';

/** More violations than this help nobody. */
export const VIOLATIONS_AT_MOST = 20;
const NAME_CHARACTERS_AT_MOST = 100;

/** A name that a client sent, fit to be sent back. */
export const shorten = (text: string): string =>
  (text.length > NAME_CHARACTERS_AT_MOST ? `${text.slice(0, NAME_CHARACTERS_AT_MOST)}…` : text).toWellFormed();

/** A JSON Pointer in URI fragment form (RFC 6901 section 6). */
export const pointerOf = (path: readonly (string | number)[]): string =>
  `#${path.map((part) => `/${encodeURIComponent(shorten(String(part)).replaceAll('~', '~0').replaceAll('/', '~1'))}`).join('')}`;

/** @throws DomainError 'invalid-request' that lists the violations, if there are any */
export function refuseIfAny(violations: readonly Violation[] | undefined): void {
  const [first] = violations ?? [];
  if (!violations || !first) return;
  const one = `${first.parameter ?? first.pointer ?? ''} ${first.detail}.`.trim();
  const detail = violations.length === 1 ? one : `${violations.length} members or parameters are not valid.`;
  throw invalidRequest(detail, violations.slice(0, VIOLATIONS_AT_MOST));
}
