import { randomBytes } from 'node:crypto';
import { generateServiceKeys, type ServiceKeys } from '@saleschannel/auth';
import { isIntegrationEventType, type IntegrationEventType } from '@saleschannel/contracts';
import { z } from 'zod';
import { brokerPrograms, databaseServices, programsWithKey, programNames } from './services.ts';
import { completeTls, tlsSecretsSchema, type TlsSecrets } from './tls.ts';
import { NAMESPACE } from './roles.ts';

/** Random secrets of an installation. All others derive from them. */
export interface Secrets {
  readonly serviceKeys: ServiceKeys;
  readonly tls: TlsSecrets;
  /** Passwords of the roles of services, by service. */
  readonly databasePasswords: Readonly<Record<string, string>>;
  /** Passwords of the roles that own the tables, by service. */
  readonly databaseOwnerPasswords: Readonly<Record<string, string>>;
  /** Password of the role that reads all databases. */
  readonly databaseAuditorPassword: string;
  /** Password of the role that reads statistics of the server, and no table. */
  readonly databaseMonitorPassword: string;
  /** Passwords by program or listener. */
  readonly brokerPasswords: Readonly<Record<string, string>>;
  /** Salts of the stored broker passwords, in base64, so that the hash of a password never changes. */
  readonly brokerSalts: Readonly<Record<string, string>>;
  /** External listeners with their event types. */
  readonly brokerListeners: BrokerListeners;
  /** In identity's format: one pepper in base64, or several with versions, the current one first. */
  readonly apiKeyPepper: string;
  readonly statementKeys: StatementKeys;
  /** In the portal's format: one key in base64url, or several, the current one first. */
  readonly portalCookieKeys: string;
  /** Secret of the portal at the identity provider. */
  readonly portalClientSecret: string;
  /** Same format as the portal's. */
  readonly consoleCookieKeys: string;
  readonly consoleClientSecret: string;
  /** Encryption keys of webhook secrets, in the same format. */
  readonly webhookSecretKeys: string;
  /** Encryption keys of identity and rbac for stored responses with secrets, in the same format. */
  readonly answerKeys: string;
  readonly databaseAdminPassword: string;
  /** Password of Grafana's administrator. */
  readonly grafanaAdminPassword: string;
  /** Secret of the development identity provider's client. */
  readonly devClientSecret: string;
}

/** Signing key of retirement statements, and former keys. */
interface StatementKeys {
  readonly current: ServiceKeys['privateKeys'][string];
  /** Public keys, kept forever because signatures stay valid. */
  readonly former: ServiceKeys['publicKeys']['keys'];
}

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;
const privateKey = z.custom<ServiceKeys['privateKeys'][string]>(isObject);
const publicKey = z.custom<ServiceKeys['publicKeys']['keys'][number]>(isObject);
const texts = z.record(z.string(), z.string());

const brokerListeners = z.record(z.string(), z.array(z.custom<IntegrationEventType>(isIntegrationEventType)).min(1));
export type BrokerListeners = Readonly<z.infer<typeof brokerListeners>>;

const knownSecrets = z
  .object({
    serviceKeys: z.object({
      privateKeys: z.record(z.string(), privateKey),
      publicKeys: z.object({ keys: z.array(publicKey) }),
      nextPrivateKeys: z.record(z.string(), privateKey).optional(),
    }),
    tls: tlsSecretsSchema,
    databasePasswords: texts,
    databaseOwnerPasswords: texts,
    databaseAuditorPassword: z.string(),
    databaseMonitorPassword: z.string(),
    brokerPasswords: texts,
    brokerSalts: texts,
    brokerListeners,
    apiKeyPepper: z.string(),
    statementKeys: z.object({ current: privateKey, former: z.array(publicKey) }),
    portalCookieKeys: z.string(),
    portalClientSecret: z.string(),
    consoleCookieKeys: z.string(),
    consoleClientSecret: z.string(),
    webhookSecretKeys: z.string(),
    answerKeys: z.string(),
    databaseAdminPassword: z.string(),
    grafanaAdminPassword: z.string(),
    devClientSecret: z.string(),
  })
  .partial();

/** Existing secrets of an installation. */
export type KnownSecrets = Partial<Secrets>;

/**
 * Parses the secrets file of this release or an earlier one.
 * @throws ZodError for any other content
 */
export const parseSecrets = (text: string): KnownSecrets => knownSecrets.parse(JSON.parse(text));

const KEY_BYTES = 32;
/** Length that RabbitMQ prescribes. */
const SALT_BYTES = 4;

export const randomText = (): string => randomBytes(KEY_BYTES).toString('base64url');
export const randomPepper = (): string => randomBytes(KEY_BYTES).toString('base64');
const randomSalt = (): string => randomBytes(SALT_BYTES).toString('base64');

/** Adds a random text for each missing name. */
const complete = (
  names: readonly string[],
  known: Readonly<Record<string, string>> | undefined,
  draw: () => string,
): Record<string, string> => ({ ...Object.fromEntries(names.map((name) => [name, draw()])), ...known });

/** Keeps existing secrets and generates missing ones, such as those of a new service. */
export async function completeSecrets(known: KnownSecrets): Promise<Secrets> {
  const listeners = known.brokerListeners ?? {};
  const brokerUsers = [...brokerPrograms, ...Object.keys(listeners)];
  return {
    serviceKeys: await completeKeys(known.serviceKeys),
    tls: await completeTls(known.tls),
    databasePasswords: complete(databaseServices, known.databasePasswords, randomText),
    databaseOwnerPasswords: complete(databaseServices, known.databaseOwnerPasswords, randomText),
    databaseAuditorPassword: known.databaseAuditorPassword ?? randomText(),
    databaseMonitorPassword: known.databaseMonitorPassword ?? randomText(),
    brokerPasswords: complete(brokerUsers, known.brokerPasswords, randomText),
    brokerSalts: complete(brokerUsers, known.brokerSalts, randomSalt),
    brokerListeners: listeners,
    apiKeyPepper: known.apiKeyPepper ?? randomPepper(),
    statementKeys: known.statementKeys ?? (await renewStatementKeys()),
    portalCookieKeys: known.portalCookieKeys ?? randomText(),
    portalClientSecret: known.portalClientSecret ?? randomText(),
    consoleCookieKeys: known.consoleCookieKeys ?? randomText(),
    consoleClientSecret: known.consoleClientSecret ?? randomText(),
    webhookSecretKeys: known.webhookSecretKeys ?? randomText(),
    answerKeys: known.answerKeys ?? randomText(),
    databaseAdminPassword: known.databaseAdminPassword ?? randomText(),
    grafanaAdminPassword: known.grafanaAdminPassword ?? randomText(),
    devClientSecret: known.devClientSecret ?? randomText(),
  };
}

const STATEMENT = 'statement';

/** Generates a new key for statements and adds the current one to the former keys. */
export async function renewStatementKeys(known?: StatementKeys): Promise<StatementKeys> {
  const current = (await generateServiceKeys([STATEMENT])).privateKeys[STATEMENT];
  if (!current) throw new Error('No key was generated.');
  if (!known) return { current, former: [] };
  const { d: _private, ...former } = known.current;
  return { current, former: [former, ...known.former] };
}

async function completeKeys(known: ServiceKeys | undefined): Promise<ServiceKeys> {
  const missing = programsWithKey.filter((name) => known?.privateKeys[name] === undefined);
  const drawn = await generateServiceKeys(missing);
  return {
    ...known,
    privateKeys: { ...known?.privateKeys, ...drawn.privateKeys },
    publicKeys: { keys: [...(known?.publicKeys.keys ?? []), ...drawn.publicKeys.keys] },
  };
}

/** Queues with this prefix belong to the listener, so it must not be a prefix of other names. */
const NAME = /^[a-z][a-z0-9-]{1,40}$/;
const reserved: ReadonlySet<string> = new Set([...programNames, NAMESPACE, 'amq', 'guest']);

/**
 * Gives an external program access to events on the broker. An existing listener keeps its password.
 * @param listener its name and its event types: `billing=inventory.transaction.status-changed.v1,…`
 * @throws Error for a name that is taken or malformed, and for unknown event types
 */
export function addListener(known: KnownSecrets, listener: string): KnownSecrets {
  const [name = '', list = ''] = listener.split('=');
  if (!NAME.test(name) || reserved.has(name)) throw new Error(`"${name}" cannot be the name of a listener.`);
  const events = list.split(',').filter(Boolean);
  const unknown = events.filter((event) => !isIntegrationEventType(event));
  if (events.length === 0 || unknown.length > 0)
    throw new Error(
      `${name} must name events of docs/integrate/asyncapi.yaml${unknown.map((event) => `, not ${event}`).join('')}`,
    );
  return {
    ...known,
    brokerListeners: { ...known.brokerListeners, [name]: events.filter(isIntegrationEventType) },
  };
}

/** @throws Error if there is no listener of that name */
export function removeListener(known: KnownSecrets, name: string): KnownSecrets {
  const { [name]: removed, ...brokerListeners } = known.brokerListeners ?? {};
  if (!removed) throw new Error(`There is no listener "${name}".`);
  const { [name]: _password, ...brokerPasswords } = known.brokerPasswords ?? {};
  const { [name]: _salt, ...brokerSalts } = known.brokerSalts ?? {};
  return { ...known, brokerListeners, brokerPasswords, brokerSalts };
}
