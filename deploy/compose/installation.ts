// The secrets of one installation, and what each service is given of them. Used for Compose and for Kubernetes.
import { randomBytes } from 'node:crypto';
import { generateServiceKeys, type ServiceKeys } from '@saleschannel/auth';
import { keyHolders, services } from '@saleschannel/local';
import { rabbitPasswordHash } from '@saleschannel/local-backends';
import { permissionsOf } from '@saleschannel/messaging';

export const NAMESPACE = 'saleschannel';
const VHOST = 'saleschannel';
const ADMIN = 'admin';
const SALT_BYTES = 4;

/** Everything that was drawn at random; all else follows from it. */
export interface Installation {
  serviceKeys: ServiceKeys;
  databasePasswords: Record<string, string>;
  brokerPasswords: Record<string, string>;
  /** Salts of the stored broker passwords, so that the same password is always written in the same way. */
  brokerSalts: Record<string, string>;
  apiKeyPepper: string;
  databaseAdminPassword: string;
  /** Of the development identity provider's one client. */
  devClientSecret: string;
}

const readers = (variable: string): string[] =>
  services.flatMap(({ name, environment }) => (variable in environment ? [name] : []));
const randomText = (): string => randomBytes(32).toString('base64url');
const drawn = (names: readonly string[], draw = randomText): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, draw()]));

export const databaseServices = readers('DATABASE_URL');
export const brokerUsers = [...readers('AMQP_URL'), ADMIN];

/** Role and database of a service: they have the same name. */
export const roleOf = (service: string): string => `saleschannel_${service.replaceAll('-', '_')}`;

/** What can be made anew by itself. */
export const rotations = {
  'service-keys': ['serviceKeys'],
  database: ['databasePasswords'],
  broker: ['brokerPasswords', 'brokerSalts'],
  pepper: ['apiKeyPepper'],
} as const satisfies Record<string, (keyof Installation)[]>;

export type Rotation = keyof typeof rotations;

/** What is there already is kept; what is missing, for a service that is new for instance, is made. */
export async function completeInstallation(known: Partial<Installation>): Promise<Installation> {
  const missingKeys = keyHolders.filter((name) => known.serviceKeys?.privateKeys[name] === undefined);
  const made = await generateServiceKeys(missingKeys);
  return {
    serviceKeys: {
      privateKeys: { ...known.serviceKeys?.privateKeys, ...made.privateKeys },
      publicKeys: { keys: [...(known.serviceKeys?.publicKeys.keys ?? []), ...made.publicKeys.keys] },
    },
    databasePasswords: { ...drawn(databaseServices), ...known.databasePasswords },
    brokerPasswords: { ...drawn(brokerUsers), ...known.brokerPasswords },
    brokerSalts: { ...drawn(brokerUsers, () => randomBytes(SALT_BYTES).toString('base64')), ...known.brokerSalts },
    apiKeyPepper: known.apiKeyPepper ?? randomBytes(32).toString('base64'),
    databaseAdminPassword: known.databaseAdminPassword ?? randomText(),
    devClientSecret: known.devClientSecret ?? randomText(),
  };
}

/** `host:port` of the servers, and how they are spoken to. */
export interface Servers {
  database: string;
  /** Added to the database URLs, such as `sslmode=verify-full`. */
  databaseOptions?: string | undefined;
  broker: string;
  brokerScheme?: 'amqp' | 'amqps';
}

/** The secret variables of one service, or of admin. */
export function secretVariablesOf(
  service: string,
  installation: Installation,
  servers: Servers,
): Record<string, string> {
  const variables: Record<string, string> = {};
  const key = installation.serviceKeys.privateKeys[service];
  if (key) variables['SERVICE_PRIVATE_KEY'] = JSON.stringify(key);
  const databasePassword = installation.databasePasswords[service];
  const role = roleOf(service);
  const options = servers.databaseOptions ? `?${servers.databaseOptions}` : '';
  if (databasePassword)
    variables['DATABASE_URL'] = `postgres://${role}:${databasePassword}@${servers.database}/${role}${options}`;
  const brokerPassword = installation.brokerPasswords[service];
  if (brokerPassword)
    variables['AMQP_URL'] =
      `${servers.brokerScheme ?? 'amqp'}://${service}:${brokerPassword}@${servers.broker}/${VHOST}`;
  if (readers('API_KEY_PEPPER').includes(service)) variables['API_KEY_PEPPER'] = installation.apiKeyPepper;
  return variables;
}

/** For deploy/postgres/roles.sh. */
export const rolesFile = (installation: Installation): string =>
  databaseServices.map((service) => `${roleOf(service)} ${installation.databasePasswords[service]}\n`).join('');

/** RabbitMQ's definitions: a user per service that touches its own queues and the exchanges alone, and admin for the dead letters. */
export function brokerDefinitions(installation: Installation): object {
  const everything = { configure: '.*', write: '.*', read: '.*' };
  return {
    vhosts: [{ name: VHOST }],
    users: brokerUsers.map((name) => ({
      name,
      password_hash: rabbitPasswordHash(
        installation.brokerPasswords[name] ?? '',
        Buffer.from(installation.brokerSalts[name] ?? '', 'base64'),
      ),
      hashing_algorithm: 'rabbit_password_hashing_sha256',
      tags: '',
    })),
    permissions: brokerUsers.map((user) => ({
      user,
      vhost: VHOST,
      ...(user === ADMIN ? everything : permissionsOf(user, NAMESPACE)),
    })),
  };
}
