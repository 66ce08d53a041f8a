import { Command } from 'commander';
import { addListener, removeListener } from './listeners.ts';
import { auditUrlOf, brokerUrlOf, databaseUrlOf, migrationUrlOf } from './roles.ts';
import { rotate } from './rotations.ts';
import { completeSecrets, type KnownSecrets, type Secrets } from './secrets.ts';
import type { SecretParts } from './variables.ts';

/** What a command that makes secrets can change in those that there are. */
export interface SecretChange {
  readonly rotate?: string;
  readonly step?: string;
  readonly listener?: string;
  readonly removeListener?: string;
}

/** A command with the options of `SecretChange`, which are the same for every place. */
export const secretCommand = (name: string): Command =>
  new Command(name)
    .option('--rotate <what>', 'rotate a secret; for its name and steps see docs/operate/rotate-keys.md')
    .option('--step <step>', 'step of the rotation: prepare, then switch, then finish')
    .option('--listener <name=events>', 'add a broker user for your own program, with event types separated by commas')
    .option('--remove-listener <name>', 'remove the broker user of such a program')
    .allowExcessArguments(false)
    .showHelpAfterError('(Run with --help for the options.)');

/**
 * Adds what is missing to the secrets that are known, and changes what is asked for.
 * @throws Error that says what is wrong with the change
 */
export async function changedSecrets(known: KnownSecrets, change: SecretChange): Promise<Secrets> {
  const added = change.listener === undefined ? known : addListener(known, change.listener);
  const wanted = change.removeListener === undefined ? added : removeListener(added, change.removeListener);
  return change.rotate === undefined ? completeSecrets(wanted) : rotate(wanted, change.rotate, change.step);
}

/** What is wrong with what was asked for, or with a file, is said in a line, and the command ends: no stack helps. */
export async function orSay<T>(command: Command, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    return command.error(`error: ${(error as Error).message}`);
  }
}

/** What secrets are made of, at a database server and a broker: each a URL without a user. */
export const secretPartsAt = (
  secrets: Secrets,
  { database, broker }: { readonly database: string; readonly broker: string },
): SecretParts => ({
  secrets,
  databaseUrlOf: (program) => databaseUrlOf(program, secrets, database),
  migrationUrlOf: (program) => migrationUrlOf(program, secrets, database),
  auditUrl: auditUrlOf(secrets, database),
  brokerUrlOf: (program) => brokerUrlOf(program, secrets, broker),
});
