import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { UnreachableError } from './api/client.ts';
import { DemoFileError, readDemo } from './demo.ts';
import { FileError } from './file/read-file.ts';
import { createProgressWriter, type Output } from './progress.ts';
import { replay } from './replay.ts';
import { formatReport } from './report.ts';
import { DEFAULT_CONCURRENCY } from './run/run-plan.ts';

export interface CommandLineIo {
  /** Base folders for relative paths, in this order. */
  readonly folders: readonly [string, ...string[]];
  readonly output: Output;
  readonly errors: Output;
  /** How long to wait for the first response of the stack. Default 5 seconds. */
  readonly firstAnswerWithinMs?: number;
}

interface Options {
  readonly demo: string;
  readonly concurrency: number;
  readonly json: boolean;
}

/** Command from a checkout. */
const PROGRAM = 'npm run replay --';
const DEMO = '.local/demo.json';
const CONCURRENCY_AT_MOST = 256;

const COMPLETE = 0;
const INCOMPLETE = 1;
/** Wrong command line, file or demo file, or no response: nothing was changed. */
const NOT_STARTED = 2;

/**
 * Runs one replay and writes its report.
 * @returns exit code: 0 (complete), 1 (not complete) or 2 (not started)
 */
export async function runCommandLine(words: readonly string[], io: CommandLineIo): Promise<number> {
  let exitCode = COMPLETE;
  const program = createProgram(io).action(async (file: string, options: Options) => {
    exitCode = await runReplay(file, options, io);
  });
  try {
    await program.parseAsync([...words], { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === COMPLETE ? COMPLETE : NOT_STARTED;
    io.errors.write(`replay: ${describeError(error)}\n`);
    return NOT_STARTED;
  }
}

function createProgram({ folders, output, errors }: CommandLineIo): Command {
  const path = (text: string): string => resolvePath(text, folders);
  return new Command(PROGRAM)
    .description(
      "Imports the issuances of a registry's records into a running stack and carries out the retirements and " +
        'cancellations of the file through its public APIs. Repeating it is safe.',
    )
    .argument('<file.csv>', 'records of a registry', path)
    .addOption(
      new Option('--demo <file>', 'file with addresses and keys, written by "npm start"')
        .default(path(DEMO), DEMO)
        .argParser(path),
    )
    .option(
      '--concurrency <number>',
      `issuances processed concurrently, 1 to ${CONCURRENCY_AT_MOST}`,
      concurrencyOption,
      DEFAULT_CONCURRENCY,
    )
    .option('--json', 'print the report as JSON on standard output, everything else on standard error', false)
    .helpOption('-h, --help', 'show help')
    .addHelpText('after', `\nExample:\n  ${PROGRAM} clients/replay/sample/sample.csv`)
    .configureOutput({
      writeOut: (text) => output.write(text),
      writeErr: (text) => errors.write(text),
      outputError: (text) => errors.write(text.replace(/^error: /, 'replay: ')),
    })
    .exitOverride();
}

/** npm runs scripts in the project folder, so relative paths may also refer to the user's folder. */
const resolvePath = (path: string, folders: CommandLineIo['folders']): string =>
  folders.map((folder) => resolve(folder, path)).find((candidate) => existsSync(candidate)) ??
  resolve(folders[0], path);

/** @throws InvalidArgumentError */
function concurrencyOption(text: string): number {
  const number = Number(text);
  if (/^\d+$/.test(text) && number >= 1 && number <= CONCURRENCY_AT_MOST) return number;
  throw new InvalidArgumentError(`It must be a whole number from 1 to ${CONCURRENCY_AT_MOST}.`);
}

async function runReplay(
  file: string,
  { demo, concurrency, json }: Options,
  { output, errors, firstAnswerWithinMs }: CommandLineIo,
): Promise<number> {
  const texts = json ? errors : output;
  const progress = createProgressWriter(texts);
  const report = await replay({
    file,
    demo: await readDemo(demo),
    concurrency,
    ...(firstAnswerWithinMs === undefined ? {} : { firstAnswerWithinMs }),
    onProgress: progress.show,
  }).finally(progress.clear);
  if (json) output.write(`${JSON.stringify(report, undefined, 2)}\n`);
  texts.write(`${formatReport(report)}\n`);
  return report.ok ? COMPLETE : INCOMPLETE;
}

/** Why a replay did not start. @throws any other error, which is a bug */
function describeError(error: unknown): string {
  if (error instanceof FileError || error instanceof DemoFileError) return error.message;
  if (!(error instanceof UnreachableError)) throw error;
  return `the stack does not respond: ${error.message}. Start it with "npm start".`;
}
