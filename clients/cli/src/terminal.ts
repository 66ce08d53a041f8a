import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { UsageError } from './failures.ts';
import type { CommandLineIo } from './tools.ts';

/** A stream that may be a terminal. */
export interface Output {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

/** Table for terminals, one JSON line per record for pipes, JSON on request. */
type Form = 'table' | 'lines' | 'json';

/** Rows aligned together. */
const CHUNK = 100;

/** Control characters can manipulate a terminal. Names in the service have none, but other texts may. */
// eslint-disable-next-line no-control-regex
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

const formatCell = (value: unknown): string => {
  if (value === null || value === undefined) return '-';
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return text.replaceAll(CONTROLS, '\uFFFD');
};

/** Replaces control characters in text from others. */
export const escapeControls = (lines: string): string =>
  lines.replaceAll(CONTROLS, (character) => (character === '\n' ? character : '\uFFFD'));

/** JSON with control characters escaped. */
const toJson = (value: object, indent?: number): string =>
  JSON.stringify(value, undefined, indent).replaceAll(CONTROLS, (character) =>
    character === '\n' ? character : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

function layOut(rows: readonly (readonly string[])[], widths: readonly number[]): string {
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, index) => cell.padEnd(widths[index] ?? 0))
      .join('  ')
      .trimEnd();
  return rows.map((row) => `${line(row)}\n`).join('');
}

/** Writes the results of a command. */
export class Printer {
  readonly #output: Output;
  readonly #form: Form;

  constructor(output: Output, isJson: boolean) {
    this.#output = output;
    this.#form = isJson ? 'json' : output.isTTY === true ? 'table' : 'lines';
  }

  /** One record with its members. */
  printRecord(record: object): void {
    if (this.#form === 'json') return void this.#output.write(`${toJson(record, 2)}\n`);
    if (this.#form === 'lines') return this.#line(record);
    const rows = Object.entries(record).map(([name, value]) => [name, formatCell(value)]);
    this.#output.write(layOut(rows, [Math.max(0, ...rows.map(([name = '-']) => name.length))]));
  }

  /** Text from the service, such as CSV. */
  printText(written: string): void {
    this.#output.write(this.#form === 'table' ? escapeControls(written.replaceAll('\r\n', '\n')) : written);
  }

  /** A list, written as it arrives. */
  async printList<T extends object>(
    records: AsyncIterable<T> | Iterable<T>,
    columns: Readonly<Record<string, (record: T) => unknown>>,
  ): Promise<void> {
    if (this.#form === 'json') return this.#array(records);
    if (this.#form === 'lines') {
      for await (const record of records) this.#line(record);
      return;
    }
    let rows: string[][] = [Object.keys(columns)];
    let widths: number[] = [];
    for await (const record of records) {
      rows.push(Object.values(columns).map((column) => formatCell(column(record))));
      if (rows.length <= CHUNK) continue;
      widths = this.#chunk(rows, widths);
      rows = [];
    }
    this.#chunk(rows, widths);
  }

  /** One record of an endless stream, written at once. */
  printEvent<T extends object>(record: T, columns: Readonly<Record<string, (record: T) => unknown>>): void {
    if (this.#form !== 'table') return this.#line(record);
    const cells = Object.values(columns).map((column) => formatCell(column(record)));
    this.#output.write(`${cells.join('  ')}\n`);
  }

  #chunk(rows: readonly (readonly string[])[], before: readonly number[]): number[] {
    const widths = rows[0]?.map((_, at) => Math.max(before[at] ?? 0, ...rows.map((row) => row[at]?.length ?? 0))) ?? [];
    this.#output.write(layOut(rows, widths));
    return widths;
  }

  #line(record: object): void {
    this.#output.write(`${toJson(record)}\n`);
  }

  async #array(records: AsyncIterable<object> | Iterable<object>): Promise<void> {
    let before = '[';
    for await (const record of records) {
      this.#output.write(`${before}\n  ${toJson(record)}`);
      before = ',';
    }
    this.#output.write(before === '[' ? '[]\n' : '\n]\n');
  }
}

/** Prompts at a terminal. @throws the signal's reason */
export function prompt({ input, errors, signal }: CommandLineIo, question: string, isSecret = false): Promise<string> {
  // For a secret, shows the question but not the input.
  const show = (text: string): void => void (isSecret || errors.write(text));
  const output = new Writable({
    write: (piece: Buffer, _encoding, done) => {
      show(piece.toString());
      done();
    },
  });
  const lines = createInterface({ input, output, prompt: question, terminal: input.isTTY === true });
  if (isSecret) errors.write(question);
  lines.prompt();
  return new Promise<string>((resolve, reject) => {
    lines.once('line', (line) => {
      resolve(line);
      // Close at once: pasted input may continue with a secret, which would be shown.
      lines.close();
    });
    lines.once('close', () => reject(new UsageError('The prompt got no answer.')));
    lines.once('SIGINT', () => process.kill(process.pid, 'SIGINT'));
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  }).finally(() => {
    lines.close();
    if (isSecret) errors.write('\n');
  });
}

/** @throws UsageError without a terminal */
export async function confirm(io: CommandLineIo, question: string): Promise<boolean> {
  if (io.input.isTTY !== true)
    throw new UsageError('Standard input is not a terminal, so scs cannot ask for confirmation. Pass --yes.');
  return /^y(es)?$/i.test((await prompt(io, `${question} [y/N] `)).trim());
}

/** All lines of a pipe. */
export async function readLines({ input }: CommandLineIo): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of createInterface({ input })) lines.push(line);
  return lines;
}
