const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const QUOTE = 0x22;
const COMMA = 0x2c;

/** Of one record, its line breaks included. */
export const RECORD_BYTES_AT_MOST = 1024 * 1024;
/** A quoted cell may hold line breaks; one of more lines than this was never meant to be open. */
const RECORD_LINES_AT_MOST = 200;

/** One record of a CSV file as it was written, or what is wrong with it. `line` counts from 1 and is the record's first. */
export type RawRecord =
  { readonly line: number; readonly bytes: Buffer } | { readonly line: number; readonly reason: string };

interface Line {
  readonly line: number;
  /** Without its line feed; undefined when it was too long to keep. */
  readonly bytes: Buffer | undefined;
}

type Cell = 'start' | 'plain' | 'quoted' | 'broken';

/** Where the reading of cells stands after a line, by the rules of RFC 4180; a quotation mark within a plain cell is text. */
function cellAfter(bytes: Buffer, before: Cell): Cell {
  let cell = before;
  const end = bytes.at(-1) === CARRIAGE_RETURN ? bytes.length - 1 : bytes.length;
  for (let at = 0; at < end; at++) {
    const byte = bytes[at];
    if (cell === 'quoted') {
      if (byte !== QUOTE) continue;
      const next = at + 1 < end ? bytes[at + 1] : COMMA;
      if (next !== QUOTE && next !== COMMA) return 'broken';
      if (next === COMMA) cell = 'plain';
      else at++;
    } else if (byte === COMMA) cell = 'start';
    else cell = cell === 'start' && byte === QUOTE ? 'quoted' : 'plain';
  }
  return cell === 'quoted' ? 'quoted' : 'start';
}

async function* linesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<Line> {
  let line = 1;
  let parts: Buffer[] = [];
  let size = 0;
  const take = (part: Buffer): void => {
    size += part.length;
    if (size <= RECORD_BYTES_AT_MOST) parts.push(part);
    else parts = [];
  };
  const finish = (): Line => {
    const bytes = size > RECORD_BYTES_AT_MOST ? undefined : parts.length === 1 ? parts[0] : Buffer.concat(parts);
    parts = [];
    size = 0;
    return { line: line++, bytes };
  };
  for await (const chunk of chunks) {
    let from = 0;
    for (let to = chunk.indexOf(LINE_FEED); to !== -1; to = chunk.indexOf(LINE_FEED, from)) {
      take(chunk.subarray(from, to));
      yield finish();
      from = to + 1;
    }
    if (from < chunk.length) take(chunk.subarray(from));
  }
  if (size > 0) yield finish();
}

const isBlank = (bytes: Buffer): boolean => bytes.every((byte) => byte === 0x20 || byte === CARRIAGE_RETURN);
const joined = (lines: readonly Line[]): Buffer =>
  lines.length === 1
    ? lines[0]!.bytes!
    : Buffer.concat(lines.flatMap(({ bytes }, index) => (index === 0 ? [bytes!] : [Buffer.from('\n'), bytes!])));

/**
 * Cuts a CSV file into records, with flat memory. A quotation mark that is never closed costs its own line alone: the lines behind it
 * are read anew, so that one typing error does not swallow the rest of the file.
 */
export async function* recordsOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<RawRecord> {
  let open: Line[] = [];
  let openBytes = 0;
  let cell: Cell = 'start';

  function* accept(line: Line): Generator<RawRecord> {
    const pending = [line];
    for (let next = pending.shift(); next; next = pending.shift()) {
      if (open.length === 0 && !next.bytes) {
        yield { line: next.line, reason: `the line is longer than ${RECORD_BYTES_AT_MOST} bytes` };
        continue;
      }
      if (open.length === 0 && isBlank(next.bytes!)) continue;
      cell = next.bytes ? cellAfter(next.bytes, open.length === 0 ? 'start' : cell) : 'broken';
      open.push(next);
      openBytes += next.bytes?.length ?? 0;
      if (cell === 'start') yield { line: open[0]!.line, bytes: joined(open) };
      else if (cell === 'broken' || open.length > RECORD_LINES_AT_MOST || openBytes > RECORD_BYTES_AT_MOST) {
        yield { line: open[0]!.line, reason: openingFault(open) };
        pending.unshift(...open.slice(1));
      } else continue;
      open = [];
      openBytes = 0;
    }
  }

  for await (const line of linesOf(chunks)) yield* accept(line);
  while (open.length > 0) {
    const [first, ...rest] = open as [Line, ...Line[]];
    yield { line: first.line, reason: 'a quotation mark is never closed' };
    open = [];
    openBytes = 0;
    for (const line of rest) yield* accept(line);
  }
}

const openingFault = (lines: readonly Line[]): string =>
  lines.length === 1 ? 'text stands behind a closing quotation mark' : 'a quotation mark is never closed';
