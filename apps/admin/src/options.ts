import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { InvalidArgumentError, Option, type Command } from 'commander';
import { DomainError } from '@saleschannel/errors';

/** How people call this program from a checkout. */
export const PROGRAM = 'npm run admin --';

/** An option without which a command does not run. Its value is a text, unless another parser is set. */
export class RequiredOption extends Option {
  constructor(flags: string, description: string) {
    super(flags, `${description} (required)`);
    this.argParser(textOption);
  }
}

/**
 * Ends the program when a required option was not given. Commander's own check of mandatory options comes before its
 * check of unknown ones, so it would report `--nme x` as a missing `--name` and not name the typing error.
 * @throws CommanderError
 */
export function checkRequiredOptions(command: Command): void {
  for (const option of command.options) {
    const isMissing = command.getOptionValue(option.attributeName()) === undefined;
    if (isMissing && option instanceof RequiredOption) command.error(`error: ${option.long} is required`);
  }
}

/** Any text that is not empty. @throws InvalidArgumentError */
export function textOption(value: string): string {
  if (value.trim() === '') throw new InvalidArgumentError('It must not be empty.');
  return value;
}

/** A whole number from 1 to `most`. The parser throws an InvalidArgumentError. */
export const wholeNumberOption =
  (most: number) =>
  (value: string): number => {
    const number = Number(value);
    if (/^\d+$/.test(value) && number >= 1 && number <= most) return number;
    throw new InvalidArgumentError(`It must be a whole number from 1 to ${most}.`);
  };

/** The variables of a file of NAME=value lines. @throws InvalidArgumentError when it cannot be read */
export function variablesOption(file: string): NodeJS.Dict<string> {
  try {
    return parseEnv(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new InvalidArgumentError(error instanceof Error ? error.message : String(error));
  }
}

/** Adds the options that name a user. */
export const withUserOptions = (command: Command): Command =>
  command
    .addOption(new RequiredOption('--issuer <url>', 'OpenID Connect issuer of the user: "iss" of their tokens'))
    .addOption(new RequiredOption('--subject <text>', 'subject of the user at that issuer: "sub" of their tokens'));

/** Why an operator takes something away, for the next one who reads it. */
export const reasonOption = (): Option =>
  new RequiredOption('--reason <text>', 'reason, for the audit trail and other operators');

/** The answer of a service about one thing. @throws Error that says in words that there is no such thing */
export async function known<T>(what: string, answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'not-found') throw error;
    throw new Error(`There is no such ${what}.`, { cause: error });
  }
}

/** Shows how a command is used, below its help. */
export const withExamples = (command: Command, ...examples: readonly string[]): Command =>
  command.addHelpText('after', ['\nExamples:', ...examples.map((words) => `  ${PROGRAM} ${words}`)].join('\n'));
