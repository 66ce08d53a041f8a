/** A name as the ledger shall have it: composed (NFC), on one line, without spaces around. */
export const clean = (text: string): string =>
  text
    .normalize('NFC')
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim();

/** At most `max` characters (code points, as the API counts them); what is cut off leaves an ellipsis. */
export function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  const points = [...text];
  return points.length <= max ? text : `${points.slice(0, max - 1).join('')}…`;
}

/** A cell of the file as a message may show it. */
export const shown = (text: string): string => `"${cut(clean(text), 60)}"`;
