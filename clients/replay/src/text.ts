import { types } from 'node:util';

// `types.isNativeError` instead of `instanceof`: Jest has its own `Error`.

/** Message of a thrown value. */
export const readErrorMessage = (error: unknown): string =>
  types.isNativeError(error) ? error.message : String(error);

/** Code of a system or library error, such as ENOENT. */
export const readErrorCode = (error: unknown): string | undefined =>
  types.isNativeError(error) && 'code' in error ? String(error.code) : undefined;

/** Maximum length of a cell in messages. */
const SHOWN_LENGTH_AT_MOST = 60;

/** Change the writing direction, which the API rejects. */
const DIRECTIONS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Normalizes a text like names in the ledger: NFC, one line, trimmed. */
export const normalizeText = (text: string): string =>
  text
    .normalize('NFC')
    .replaceAll(DIRECTIONS, '')
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim();

/** Limits a text to `max` code points, as counted by the API. Ends with an ellipsis if it was cut. */
export function truncate(text: string, max: number): string {
  if (text.length <= max) return text;
  const points = [...text];
  return points.length <= max ? text : `${points.slice(0, max - 1).join('')}…`;
}

/** Quotes a text of the file for messages. */
export const quote = (text: string): string => `"${shorten(normalizeText(text))}"`;

/** Shortens a name for messages. */
export const shorten = (name: string): string => truncate(name, SHOWN_LENGTH_AT_MOST);
