import type { Readable } from 'node:stream';
import type { SalesChannel } from '@saleschannel/sdk';
import type { Command } from 'commander';
import { ConfigStore } from './config.ts';
import { describeError } from './failures.ts';
import { createClient, resolveSession, type Session } from './session.ts';
import { escapeControls, Printer, type Output } from './terminal.ts';

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

interface GlobalOptions {
  readonly profile?: string;
  readonly json?: boolean;
}

/** Dependencies of commands. */
export interface Tools {
  readonly io: CommandLineIo;
  config(): ConfigStore;
  /** @throws UsageError if not signed in */
  session(): Session;
  /** @throws UsageError if not signed in */
  client(): SalesChannel;
  printer(): Printer;
  /** Prints a message that is not a result. */
  printMessage(text: string): void;
  /** Prints why a request is retried. */
  printRetry(error: unknown): void;
}

export function createTools(program: Command, io: CommandLineIo): Tools {
  const options = (): GlobalOptions => program.opts<GlobalOptions>();
  const config = (): ConfigStore => new ConfigStore(io.environment, options().profile);
  const session = (): Session => resolveSession(io.environment, config());
  const printMessage = (text: string): void => void io.errors.write(`${escapeControls(text)}\n`);
  return {
    io,
    config,
    session,
    client: () => createClient(session()),
    printer: () => new Printer(io.output, options().json === true),
    printMessage,
    printRetry: (error) => printMessage(`scs: ${describeError(error)}\nscs: retrying`),
  };
}
