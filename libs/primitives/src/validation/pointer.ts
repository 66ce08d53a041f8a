/** Longer names that a client sent are cut before they are sent back. */
const NAME_CHARACTERS_AT_MOST = 100;

/** A name that a client sent, fit to be sent back. */
export const shorten = (text: string): string =>
  (text.length > NAME_CHARACTERS_AT_MOST ? `${text.slice(0, NAME_CHARACTERS_AT_MOST)}…` : text).toWellFormed();

const segmentOf = (part: PropertyKey): string =>
  encodeURIComponent(shorten(String(part)).replaceAll('~', '~0').replaceAll('/', '~1'));

/** A JSON pointer as a URI fragment (RFC 6901 section 6): `['assets', 0]` becomes `#/assets/0`. */
export const pointerOf = (path: readonly PropertyKey[]): string =>
  `#${path.map((part) => `/${segmentOf(part)}`).join('')}`;
