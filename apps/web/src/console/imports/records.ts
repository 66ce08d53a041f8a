/** Where the service stops reading a record: longer ones are faults of their line. */
const RECORD_BYTES_AT_MOST = 1024 * 1024;

const LINE_FEED = 0x0a;
const QUOTE = 0x22;
const COMMA = 0x2c;

export type FileFormat = 'ndjson' | 'csv';

/**
 * Says at which bytes records end, as the service does: line feeds end lines of NDJSON and records of CSV, where those
 * between quotation marks belong to their field.
 */
class Ends {
  readonly #isCsv: boolean;
  #state: 'start' | 'plain' | 'quoted' | 'closed' = 'start';
  #size = 0;

  constructor(format: FileFormat) {
    this.#isCsv = format === 'csv';
  }

  endsAt(byte: number): boolean {
    this.#size += 1;
    const isTooLong = this.#size > RECORD_BYTES_AT_MOST;
    if (byte === LINE_FEED && (this.#state !== 'quoted' || isTooLong)) {
      this.#state = 'start';
      this.#size = 0;
      return true;
    }
    if (this.#isCsv && !isTooLong) this.#state = this.#after(byte);
    return false;
  }

  #after(byte: number): 'start' | 'plain' | 'quoted' | 'closed' {
    if (this.#state === 'quoted') return byte === QUOTE ? 'closed' : 'quoted';
    if (byte === QUOTE) return this.#state === 'plain' ? 'plain' : 'quoted';
    return byte === COMMA ? 'start' : 'plain';
  }
}

/** What was found of a file: its first record, which is the header of CSV, and those that were asked for. */
export interface FoundRecords {
  readonly first: string | undefined;
  /** By the line on which they begin, from 1. */
  readonly byLine: ReadonlyMap<number, string>;
}

const decoder = new TextDecoder();
const isBlank = (text: string): boolean => text.trim() === '';

/** Reads the records that begin on some lines of a file. It holds no more than these of it. */
export async function readRecords(file: Blob, format: FileFormat, lines: ReadonlySet<number>): Promise<FoundRecords> {
  const ends = new Ends(format);
  const byLine = new Map<number, string>();
  let first: string | undefined;
  let line = 1;
  let innerLines = 0;
  let parts: Uint8Array[] = [];
  const isKept = (): boolean => first === undefined || lines.has(line);
  const take = async (): Promise<void> => {
    if (isKept()) {
      const record = decoder.decode(await new Blob(parts as BlobPart[]).arrayBuffer()).replace(/\r$/, '');
      if (lines.has(line)) byLine.set(line, record);
      if (!isBlank(record)) first ??= record;
    }
    parts = [];
    line += 1 + innerLines;
    innerLines = 0;
  };
  const reader = file.stream().getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    let from = 0;
    for (let at = 0; at < value.length; at += 1) {
      const byte = value[at] ?? 0;
      if (!ends.endsAt(byte)) {
        if (byte === LINE_FEED) innerLines += 1;
        continue;
      }
      if (isKept()) parts.push(value.slice(from, at));
      from = at + 1;
      await take();
    }
    if (isKept() && from < value.length) parts.push(value.slice(from));
  }
  if (parts.length > 0) await take();
  return { first, byLine };
}

/** The mended lines as a file of their own: for CSV below the header of before. */
export const fileOfRecords = (records: readonly string[], format: FileFormat, header: string | undefined): string =>
  [...(format === 'csv' && header !== undefined ? [header] : []), ...records].map((record) => `${record}\n`).join('');

/** A bad line with its text, as it was sent and as it is now. */
interface BadLine {
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
