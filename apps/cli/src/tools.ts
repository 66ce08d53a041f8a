import type { SalesChannel } from '@saleschannel/sdk';
import type { Command } from 'commander';
import { KeptConfig } from './config.ts';
import { Printer } from './output.ts';
import { clientOf, sessionOf } from './session.ts';
import type { Surroundings } from './surroundings.ts';

interface GlobalOptions {
  readonly profile?: string;
  readonly json?: boolean;
}

/** What commands work with. */
export interface Tools {
  readonly surroundings: Surroundings;
  config(): KeptConfig;
  /** @throws Misuse when nobody is signed in */
  client(): SalesChannel;
  printer(): Printer;
  /** Tells the person something that is no answer. */
  say(text: string): void;
}

export function createTools(program: Command, surroundings: Surroundings): Tools {
  const options = (): GlobalOptions => program.opts<GlobalOptions>();
  const config = (): KeptConfig => new KeptConfig(surroundings.environment, options().profile);
  return {
    surroundings,
    config,
    client: () => clientOf(sessionOf(surroundings.environment, config())),
    printer: () => new Printer(surroundings.output, options().json === true),
    say: (text) => void surroundings.errors.write(`${text}\n`),
  };
}
