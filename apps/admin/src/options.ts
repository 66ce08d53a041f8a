import { readFileSync } from 'node:fs';
import { InvalidArgumentError, Option, type Command } from 'commander';
import { DomainError } from '@saleschannel/errors';

/** Command that runs this program in a checkout. */
export const PROGRAM = 'npm run admin --';

/** A required option. Its value is a text, unless another parser is set. */
export class RequiredOption extends Option {
  constructor(flags: string, description: string) {
    super(flags, `${description} (required)`);
    this.argParser(textOption);
  }
}

/**
 * Ends the program if a required option is missing. Commander's own check of mandatory options runs before its check of
 * unknown ones, so it would report the typo `--nme x` as a missing `--name`.
 * @throws CommanderError
 */
export function checkRequiredOptions(command: Command): void {
  for (const option of command.options) {
    const isMissing = command.getOptionValue(option.attributeName()) === undefined;
    if (isMissing && option instanceof RequiredOption) command.error(`error: ${option.long} is required`);
  }
}

/** Accepts any text that is not empty. @throws InvalidArgumentError */
export function textOption(value: string): string {
  if (value.trim() === '') throw new InvalidArgumentError('It must not be empty.');
  return value;
}

/** Returns a parser for whole numbers from 1 to `most`, which throws InvalidArgumentError. */
export const wholeNumberOption =
  (most: number) =>
  (value: string): number => {
    const number = Number(value);
    if (/^\d+$/.test(value) && number >= 1 && number <= most) return number;
    throw new InvalidArgumentError(`It must be a whole number from 1 to ${most}.`);
  };

/** Returns a parser for the content of a file, which throws InvalidArgumentError for an invalid or unreadable file. */
export const fileOption =
  <T>(parse: (text: string) => T) =>
  (file: string): T => {
    try {
      return parse(readFileSync(file, 'utf8'));
    } catch (error) {
      throw new InvalidArgumentError(error instanceof Error ? error.message : String(error));
    }
  };

/** Adds the options that identify a user. */
export const withUserOptions = (command: Command): Command =>
  command
    .addOption(new RequiredOption('--issuer <url>', 'OpenID Connect issuer of the user: "iss" of their tokens'))
    .addOption(new RequiredOption('--subject <text>', 'subject of the user at that issuer: "sub" of their tokens'));

/** Creates the option for the reason of a revocation. */
export const reasonOption = (): Option =>
  new RequiredOption('--reason <text>', 'reason, for the audit trail and other operators');

/** Replaces `not-found` by an error that names the kind of record. */
export async function requireKnown<T>(kind: string, answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'not-found') throw error;
    throw new Error(`There is no such ${kind}.`, { cause: error });
  }
}

/** Adds examples to the help of a command. */
export const withExamples = (command: Command, ...examples: readonly string[]): Command =>
  command.addHelpText('after', ['\nExamples:', ...examples.map((words) => `  ${PROGRAM} ${words}`)].join('\n'));
