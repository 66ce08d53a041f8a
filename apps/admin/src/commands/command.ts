import type { Administration } from '../administration.ts';

/** An option of a command, always a text; `flag` is one without a value. */
export interface Option {
  readonly description: string;
  /** What stands for the value in the usage; undefined for a flag. */
  readonly value?: string;
  readonly required?: boolean;
}

/** A mistake of whoever typed the command: exit code 2. */
export class UsageError extends Error {
  override name = 'UsageError';
}

/** What was typed behind a command. */
export interface Input {
  /** A required option. */
  text(option: string): string;
  optional(option: string): string | undefined;
  flag(option: string): boolean;
  /** The word behind the command. */
  readonly argument: string;
}

/** What commands work with; each reads the environment for what it uses, and for nothing else. */
export interface Tools {
  administration<T>(work: (administration: Administration) => Promise<T>): Promise<T>;
  broker(): { url: string; namespace: string };
}

export interface Command {
  readonly name: string;
  readonly description: string;
  readonly options: Readonly<Record<string, Option>>;
  /** The word that must follow the command, with its choices. */
  readonly argument?: { readonly name: string; readonly choices: readonly string[] };
  /** In plain words, for an object that an option names and that does not exist. */
  readonly notFound?: string;
  /** Its answer is printed as JSON. */
  run(input: Input, tools: Tools): Promise<unknown>;
}

/** The user that a command is about. */
export const subjectOptions = {
  issuer: { description: 'the user\'s OpenID Connect issuer: "iss" of his tokens', value: 'url', required: true },
  subject: { description: 'the user at that issuer: "sub" of his tokens', value: 'text', required: true },
} satisfies Record<string, Option>;

export const subjectOf = (input: Input): { issuer: string; subject: string } => ({
  issuer: input.text('issuer'),
  subject: input.text('subject'),
});

/** @throws UsageError */
export function wholeNumberOf(input: Input, option: string, fallback: number, atMost: number): number {
  const text = input.optional(option) ?? String(fallback);
  const number = Number(text);
  if (/^\d+$/.test(text) && number >= 1 && number <= atMost) return number;
  throw new UsageError(`--${option} must be a whole number from 1 to ${atMost}, not "${text}"`);
}
