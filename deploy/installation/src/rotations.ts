import { serviceKeyRotation } from '@saleschannel/auth';
import { Command } from 'commander';
import { toAuditUrl, toBrokerUrl, toDatabaseUrl, toMigrationUrl } from './roles.ts';
import {
  completeSecrets,
  randomPepper,
  randomText,
  renewStatementKeys,
  type KnownSecrets,
  type Secrets,
  addListener,
  removeListener,
} from './secrets.ts';
import { renewTls, tlsAuthorityRotation } from './tls.ts';
import type { SecretParts } from './variables.ts';

/** Steps of a rotation without downtime. Roll out each step before the next. */
const rotationSteps = ['prepare', 'switch', 'finish'] as const;
type RotationStep = (typeof rotationSteps)[number];

/** Version of a pepper, which identity reads as `<version>:<base64>`. */
const versionOf = (pepper: string): number => Number(pepper.split(':')[0]);

/** Versions of the pepper, the current one first. One without a number is version 1. */
const peppersOf = (text: string): string[] => (text.includes(':') ? text.split(',') : [`1:${text}`]);

const rotationError = (why: string): Error => new Error(`The pepper cannot be rotated with this step: ${why}`);

/** New keys are hashed with the first pepper. Older keys move to it at their next use, and need theirs until then. */
const pepperRotation: Record<RotationStep, (peppers: readonly string[]) => string[]> = {
  prepare([current = '', ...others]) {
    if (others.length > 0) throw rotationError('there are already two peppers, so "switch" or "finish" is next.');
    return [current, `${versionOf(current) + 1}:${randomPepper()}`];
  },
  switch([current = '', next]) {
    if (next === undefined) throw rotationError('no new one is prepared, and "prepare" comes first.');
    if (versionOf(next) < versionOf(current))
      throw rotationError('the new one is already in use, so "finish" is next.');
    return [next, current];
  },
  finish([current = '', other]) {
    if (other !== undefined && versionOf(other) > versionOf(current))
      throw rotationError('the new one is not yet in use, so "switch" is next.');
    return [current];
  },
};

type Rotation = (secrets: Secrets, step: RotationStep) => Promise<KnownSecrets>;

const stepwise = new Map<string, Rotation>([
  [
    'service-keys',
    async (secrets, step) => ({ ...secrets, serviceKeys: await serviceKeyRotation[step](secrets.serviceKeys) }),
  ],
  [
    'pepper',
    async (secrets, step) => ({
      ...secrets,
      apiKeyPepper: pepperRotation[step](peppersOf(secrets.apiKeyPepper)).join(),
    }),
  ],
  ['tls-authority', async (secrets, step) => ({ ...secrets, tls: await tlsAuthorityRotation[step](secrets.tls) })],
]);

const without = (secrets: Secrets, ...parts: (keyof Secrets)[]): KnownSecrets => {
  const remaining: KnownSecrets = { ...secrets };
  for (const part of parts) delete remaining[part];
  return remaining;
};

/** Rotations in one step. */
const atOnce = new Map<string, (secrets: Secrets) => Promise<KnownSecrets>>([
  [
    'database',
    async (secrets) =>
      without(
        secrets,
        'databasePasswords',
        'databaseOwnerPasswords',
        'databaseAuditorPassword',
        'databaseMonitorPassword',
      ),
  ],
  ['broker', async (secrets) => without(secrets, 'brokerPasswords', 'brokerSalts')],
  [
    'statement-key',
    async (secrets) => ({ ...secrets, statementKeys: await renewStatementKeys(secrets.statementKeys) }),
  ],
  ['tls', async (secrets) => ({ ...secrets, tls: await renewTls(secrets.tls) })],
  [
    'portal-cookies',
    // The previous key still opens current sessions. The key before it is dropped.
    async (secrets) => ({
      ...secrets,
      portalCookieKeys: [randomText(), secrets.portalCookieKeys.split(',')[0]].join(),
    }),
  ],
  [
    'console-cookies',
    async (secrets) => ({
      ...secrets,
      consoleCookieKeys: [randomText(), secrets.consoleCookieKeys.split(',')[0]].join(),
    }),
  ],
  [
    'webhook-secrets',
    // The service encrypts stored secrets with the new key within minutes.
    async (secrets) => ({
      ...secrets,
      webhookSecretKeys: [randomText(), secrets.webhookSecretKeys.split(',')[0]].join(),
    }),
  ],
  [
    'answer-keys',
    // The previous key opens stored responses, which live for two days at most.
    async (secrets) => ({ ...secrets, answerKeys: [randomText(), secrets.answerKeys.split(',')[0]].join() }),
  ],
]);

/**
 * Rotates a secret, in one step or by one of three steps.
 * @throws Error for an unknown rotation, with the known ones, and for a step out of order
 */
export async function rotate(known: KnownSecrets, rotation: string, step?: string): Promise<Secrets> {
  const secrets = await completeSecrets(known);
  const inSteps = stepwise.get(rotation);
  const renew = atOnce.get(rotation);
  if (inSteps) {
    const next = rotationSteps.find((name) => name === step);
    if (!next) throw new Error(`${rotation} must be rotated with --step ${rotationSteps.join(', then ')}.`);
    return completeSecrets(await inSteps(secrets, next));
  }
  if (!renew)
    throw new Error(`"${rotation}" is not one of the rotations ${[...stepwise.keys(), ...atOnce.keys()].join(', ')}.`);
  if (step !== undefined) throw new Error(`${rotation} is rotated at once. Omit --step.`);
  return completeSecrets(await renew(secrets));
}

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
