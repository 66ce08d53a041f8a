/** A cell in a message is not shown any longer than this. */
const SHOWN_LENGTH_AT_MOST = 60;

/** A text as the ledger stores names: in Unicode form NFC, on one line, without spaces around it. */
export const clean = (text: string): string =>
  text
    .normalize('NFC')
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
