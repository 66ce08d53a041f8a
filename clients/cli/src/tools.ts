import type { SalesChannel } from '@saleschannel/sdk';
import type { Command } from 'commander';
import { ConfigStore } from './config.ts';
import type { CommandLineIo } from './context.ts';
import { escapeControls, Printer } from './output.ts';
import { createClient, resolveSession, type Session } from './session.ts';

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
}

export function createTools(program: Command, io: CommandLineIo): Tools {
  const options = (): GlobalOptions => program.opts<GlobalOptions>();
  const config = (): ConfigStore => new ConfigStore(io.environment, options().profile);
  const session = (): Session => resolveSession(io.environment, config());
  return {
    io,
    config,
    session,
    client: () => createClient(session()),
    printer: () => new Printer(io.output, options().json === true),
    printMessage: (text) => void io.errors.write(`${escapeControls(text)}\n`),
  };
}
