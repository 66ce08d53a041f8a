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
  readonly surroundings: Surroundings;
  config(): KeptConfig;
  /** @throws Misuse if not signed in */
  session(): Session;
  /** @throws Misuse if not signed in */
  client(): SalesChannel;
  printer(): Printer;
  /** Prints a message that is not a result. */
  say(text: string): void;
}

export function createTools(program: Command, surroundings: Surroundings): Tools {
  const options = (): GlobalOptions => program.opts<GlobalOptions>();
  const config = (): KeptConfig => new KeptConfig(surroundings.environment, options().profile);
  const session = (): Session => sessionOf(surroundings.environment, config());
  return {
    surroundings,
    config,
    session,
    client: () => clientOf(session()),
    printer: () => new Printer(surroundings.output, options().json === true),
    say: (text) => void surroundings.errors.write(`${harmless(text)}\n`),
  };
}
