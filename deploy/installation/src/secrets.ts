import { randomBytes } from 'node:crypto';
import { generateServiceKeys, type ServiceKeys } from '@saleschannel/auth';
import { isIntegrationEventType, type IntegrationEventType } from '@saleschannel/contracts';
import { z } from 'zod';
import { brokerPrograms, databaseServices, keyHolders } from './services.ts';
import { completeTls, tlsSecretsSchema, type TlsSecrets } from './tls.ts';

/** Everything that is drawn at random for one installation. All other secrets follow from it. */
export interface Secrets {
  readonly serviceKeys: ServiceKeys;
  readonly tls: TlsSecrets;
  /** Of the roles that services run with, by service. */
  readonly databasePasswords: Readonly<Record<string, string>>;
  /** Of the roles that own the tables, by service. */
  readonly databaseOwnerPasswords: Readonly<Record<string, string>>;
  /** Of the role that reads all databases. */
  readonly databaseAuditorPassword: string;
  /** Of the role that sees how the server is, and no row of any table. */
  readonly databaseMonitorPassword: string;
  /** By program. */
  readonly brokerPasswords: Readonly<Record<string, string>>;
  /** Salts of the stored broker passwords, in base64: with them the same password is always stored as the same hash. */
  readonly brokerSalts: Readonly<Record<string, string>>;
  /** Programs of others that listen to integration events, with the types that they may hear. */
  readonly brokerListeners: BrokerListeners;
  /** As identity reads it: one in base64, or several with their versions, the current one first. */
  readonly apiKeyPepper: string;
  readonly statementKeys: StatementKeys;
  /** As the portal reads them: one in base64url, or several, the current one first. */
  readonly portalCookieKeys: string;
  /** By which the identity provider knows the portal. */
  readonly portalClientSecret: string;
  /** As those of the portal. */
  readonly consoleCookieKeys: string;
  readonly consoleClientSecret: string;
  /** Under which the secrets of webhook endpoints are stored: as the keys of the portal. */
  readonly webhookSecretKeys: string;
  /** Under which identity and rbac keep answers with a secret for repeated requests: as the keys of the portal. */
  readonly answerKeys: string;
  readonly databaseAdminPassword: string;
  /** Of the first user of Grafana. */
  readonly grafanaAdminPassword: string;
  /** Of the development identity provider's one client. */
  readonly devClientSecret: string;
}

/** What statements of retirements are signed with, and what they were signed with before. */
interface StatementKeys {
  readonly current: ServiceKeys['privateKeys'][string];
  /** Public halves. They are never forgotten, for what was signed with them stays valid. */
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

/** The secrets that an installation has so far. */
export type KnownSecrets = Partial<Secrets>;

/**
 * The secrets of a file that an installation keeps, of this release or an earlier one.
 * @throws ZodError for a file that holds something else
 */
export const parseSecrets = (text: string): KnownSecrets => knownSecrets.parse(JSON.parse(text));

const KEY_BYTES = 32;
/** RabbitMQ's own length. */
const SALT_BYTES = 4;

export const randomText = (): string => randomBytes(KEY_BYTES).toString('base64url');
export const randomPepper = (): string => randomBytes(KEY_BYTES).toString('base64');
const randomSalt = (): string => randomBytes(SALT_BYTES).toString('base64');

/** One text for each name. Those that are known stay. */
const complete = (
  names: readonly string[],
  known: Readonly<Record<string, string>> | undefined,
  draw: () => string,
): Record<string, string> => ({ ...Object.fromEntries(names.map((name) => [name, draw()])), ...known });

/** Keeps what is known and draws what is missing, for instance for a service that is new. */
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

/** A new key for statements. The one that they were signed with until now joins those that their readers know. */
export async function renewStatementKeys(known?: StatementKeys): Promise<StatementKeys> {
  const current = (await generateServiceKeys([STATEMENT])).privateKeys[STATEMENT];
  if (!current) throw new Error('No key was generated.');
  if (!known) return { current, former: [] };
  const { d: _private, ...former } = known.current;
  return { current, former: [former, ...known.former] };
}

async function completeKeys(known: ServiceKeys | undefined): Promise<ServiceKeys> {
  const missing = keyHolders.filter((name) => known?.privateKeys[name] === undefined);
  const drawn = await generateServiceKeys(missing);
  return {
    ...known,
    privateKeys: { ...known?.privateKeys, ...drawn.privateKeys },
    publicKeys: { keys: [...(known?.publicKeys.keys ?? []), ...drawn.publicKeys.keys] },
  };
}
