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

/** What commands work with. */
export interface Tools {
  readonly surroundings: Surroundings;
  config(): KeptConfig;
  /** @throws Misuse when nobody is signed in */
  session(): Session;
  /** @throws Misuse when nobody is signed in */
  client(): SalesChannel;
  printer(): Printer;
  /** Tells the person something that is no answer. */
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
