import { fileOfRecords, type FileFormat } from './records.ts';

/** A bad line with its text, as it was sent and as it is now. */
export interface BadLine {
  readonly line: number;
  readonly sent: string;
  readonly now: string;
}

const isMended = ({ sent, now }: BadLine): boolean => sent !== now && now.trim() !== '';

/** A record of NDJSON is one line. White space between the parts of JSON may be anything. */
const recordOf = (text: string, format: FileFormat): string =>
  format === 'ndjson' ? text.replaceAll(/\r?\n/g, ' ') : text;

/** The lines to be sent as a file of their own. Undefined: there are none. */
export function mendedFile(
  lines: readonly BadLine[],
  { format, header, withUnchanged }: { format: FileFormat; header: string | undefined; withUnchanged: boolean },
): { readonly count: number; readonly content: string } | undefined {
  const chosen = lines.filter((line) => isMended(line) || (withUnchanged && line.now.trim() !== ''));
  if (chosen.length === 0) return undefined;
  const content = fileOfRecords(
    chosen.map(({ now }) => recordOf(now, format)),
    format,
    header,
  );
  return { count: chosen.length, content };
}
