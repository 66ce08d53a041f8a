import type { Readable } from 'node:stream';

/** A stream that may be a terminal. */
export interface Output {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

export interface Input extends Readable {
  readonly isTTY?: boolean;
}

/** Everything that a command uses besides the service. */
export interface CommandLineIo {
  readonly environment: NodeJS.ProcessEnv;
  readonly input: Input;
  readonly output: Output;
  readonly errors: Output;
  /** Aborted by Ctrl+C. */
  readonly signal: AbortSignal;
  openBrowser(url: string): void;
}

/** Wrong arguments, files or variables: nothing was started. */
export class UsageError extends Error {
  override name = 'UsageError';
}

/** The command failed, and the message is complete. */
export class CommandError extends Error {
  override name = 'CommandError';
}
