import type { Readable } from 'node:stream';

/** A stream that may be a terminal. */
export interface Output {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

export interface Input extends Readable {
  readonly isTTY?: boolean;
}

/** All that a command has to do with besides the service. */
export interface Surroundings {
  readonly environment: NodeJS.ProcessEnv;
  readonly input: Input;
  readonly output: Output;
  readonly errors: Output;
  /** Aborted when the person has had enough. */
  readonly signal: AbortSignal;
  openBrowser(url: string): void;
}

/** Wrong words, files or variables: nothing was tried. */
export class Misuse extends Error {
  override name = 'Misuse';
}

/** What was asked for did not come about, and everything has been said about it. */
export class Failed extends Error {
  override name = 'Failed';
}
