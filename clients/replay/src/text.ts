import { types } from 'node:util';

// `instanceof Error` does not know the errors of Node under Jest, which has an Error of its own.

/** What was thrown, in words. */
export const messageOf = (error: unknown): string => (types.isNativeError(error) ? error.message : String(error));

/** The code of a system's or library's error, such as ENOENT. */
export const codeOf = (error: unknown): string | undefined =>
  types.isNativeError(error) && 'code' in error ? String(error.code) : undefined;

/** A cell in a message is not shown any longer than this. */
const SHOWN_LENGTH_AT_MOST = 60;

/** They change the direction of writing, and the API takes none. */
const DIRECTIONS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** A text as the ledger stores names: in Unicode form NFC, on one line, without spaces around it. */
export const clean = (text: string): string =>
  text
    .normalize('NFC')
    .replaceAll(DIRECTIONS, '')
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim();

/** At most `max` characters (code points, as the API counts them). A text that was cut ends with an ellipsis. */
export function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  const points = [...text];
  return points.length <= max ? text : `${points.slice(0, max - 1).join('')}…`;
}

/** A text of the file as messages quote it. */
export const shown = (text: string): string => `"${shortened(clean(text))}"`;

/** A long name for use within a message. */
export const shortened = (name: string): string => cut(name, SHOWN_LENGTH_AT_MOST);
