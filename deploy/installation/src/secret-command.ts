import { Command } from 'commander';
import { addListener, removeListener } from './listeners.ts';
import { toAuditUrl, toBrokerUrl, toDatabaseUrl, toMigrationUrl } from './roles.ts';
import { rotate } from './rotations.ts';
import { completeSecrets, type KnownSecrets, type Secrets } from './secrets.ts';
import type { SecretParts } from './variables.ts';

/** Changes that a command can make to existing secrets. */
export interface SecretChange {
  readonly rotate?: string;
  readonly step?: string;
  readonly listener?: string;
  readonly removeListener?: string;
}

/** Command with the options of `SecretChange`, for Compose and Kubernetes. */
export const secretCommand = (name: string): Command =>
  new Command(name)
    .option('--rotate <what>', 'rotate a secret; for its name and steps see docs/operate/rotate-keys.md')
    .option('--step <step>', 'step of the rotation: prepare, then switch, then finish')
    .option('--listener <name=events>', 'add a broker user for your own program, with event types separated by commas')
    .option('--remove-listener <name>', 'remove the broker user of such a program')
    .allowExcessArguments(false)
    .showHelpAfterError('(Run with --help for the options.)');

/**
 * Adds missing secrets and applies a change.
 * @throws Error that explains why the change is refused
 */
export async function changeSecrets(known: KnownSecrets, change: SecretChange): Promise<Secrets> {
  const added = change.listener === undefined ? known : addListener(known, change.listener);
  const selected = change.removeListener === undefined ? added : removeListener(added, change.removeListener);
  return change.rotate === undefined ? completeSecrets(selected) : rotate(selected, change.rotate, change.step);
}

/** Prints an error of the arguments or of a file in one line, without its stack, and ends the command. */
export async function exitOnError<T>(command: Command, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    return command.error(`error: ${(error as Error).message}`);
  }
}

/** Builds secrets from the URLs of a database server and a broker, both without a user. */
export const toSecretParts = (
  secrets: Secrets,
  { database, broker }: { readonly database: string; readonly broker: string },
): SecretParts => ({
  secrets,
  databaseUrlOf: (program) => toDatabaseUrl(program, secrets, database),
  migrationUrlOf: (program) => toMigrationUrl(program, secrets, database),
  auditUrl: toAuditUrl(secrets, database),
  brokerUrlOf: (program) => toBrokerUrl(program, secrets, broker),
});
