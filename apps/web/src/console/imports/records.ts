/** The service's record limit. Longer records are errors of their line. */
const RECORD_BYTES_AT_MOST = 1024 * 1024;

const LINE_FEED = 0x0a;
const QUOTE = 0x22;
const COMMA = 0x2c;

export type FileFormat = 'ndjson' | 'csv';

/**
 * Finds the ends of records as the service does: at each line feed in NDJSON, and in CSV at each line feed outside
 * quotation marks.
 */
class RecordSplitter {
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

/** Requested records, and the first record, which is the header in CSV. */
export interface FoundRecords {
  readonly first: string | undefined;
  /** By first line, counted from 1. */
  readonly byLine: ReadonlyMap<number, string>;
}

const decoder = new TextDecoder();
const isBlank = (text: string): boolean => text.trim() === '';

/** Reads the records that begin on the given lines, keeping only these in memory. */
export async function readRecords(file: Blob, format: FileFormat, lines: ReadonlySet<number>): Promise<FoundRecords> {
  const splitter = new RecordSplitter(format);
  const byLine = new Map<number, string>();
  let first: string | undefined;
  let line = 1;
  let innerLines = 0;
  let parts: Uint8Array[] = [];
  const isKept = (): boolean => first === undefined || lines.has(line);
  const finishRecord = async (): Promise<void> => {
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
      if (!splitter.endsAt(byte)) {
        if (byte === LINE_FEED) innerLines += 1;
        continue;
      }
      if (isKept()) parts.push(value.slice(from, at));
      from = at + 1;
      await finishRecord();
    }
    if (isKept() && from < value.length) parts.push(value.slice(from));
  }
  if (parts.length > 0) await finishRecord();
  return { first, byLine };
}

/** Joins corrected lines into a file of their own, in CSV below the original header. */
export const joinRecords = (records: readonly string[], format: FileFormat, header: string | undefined): string =>
  [...(format === 'csv' && header !== undefined ? [header] : []), ...records].map((record) => `${record}\n`).join('');

/** A failed line as uploaded and as edited. */
interface FailedLine {
  readonly line: number;
  readonly sent: string;
  readonly now: string;
}

const isCorrected = ({ sent, now }: FailedLine): boolean => sent !== now && now.trim() !== '';

/** Puts an NDJSON record on one line. Whitespace between JSON tokens has no meaning. */
const toRecord = (text: string, format: FileFormat): string =>
  format === 'ndjson' ? text.replaceAll(/\r?\n/g, ' ') : text;

/** Builds the file of lines to send. Undefined if there are none. */
export function buildCorrectedFile(
  lines: readonly FailedLine[],
  { format, header, withUnchanged }: { format: FileFormat; header: string | undefined; withUnchanged: boolean },
): { readonly count: number; readonly content: string } | undefined {
  const chosen = lines.filter((line) => isCorrected(line) || (withUnchanged && line.now.trim() !== ''));
  if (chosen.length === 0) return undefined;
  const content = joinRecords(
    chosen.map(({ now }) => toRecord(now, format)),
    format,
    header,
  );
  return { count: chosen.length, content };
}
