import type { SalesChannel } from '@saleschannel/sdk';
import type { Command } from 'commander';
import { KeptConfig } from './config.ts';
import type { Surroundings } from './context.ts';
import { harmless, Printer } from './output.ts';
import { clientOf, sessionOf, type Session } from './session.ts';

interface GlobalOptions {
  readonly profile?: string;
  readonly json?: boolean;
}

/** Dependencies of commands. */
export interface Tools {
  readonly io: Surroundings;
  config(): KeptConfig;
  /** @throws UsageError if not signed in */
  session(): Session;
  /** @throws UsageError if not signed in */
  client(): SalesChannel;
  printer(): Printer;
  /** Prints a message that is not a result. */
  say(text: string): void;
}

export function createTools(program: Command, io: Surroundings): Tools {
  const options = (): GlobalOptions => program.opts<GlobalOptions>();
  const config = (): KeptConfig => new KeptConfig(io.environment, options().profile);
  const session = (): Session => sessionOf(io.environment, config());
  return {
    io,
    config,
    session,
    client: () => clientOf(session()),
    printer: () => new Printer(io.output, options().json === true),
    say: (text) => void io.errors.write(`${harmless(text)}\n`),
  };
}
