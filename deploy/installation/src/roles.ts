import { hashRabbitPassword, type BrokerUser } from '@saleschannel/local-backends';
import { permissionsOf, listenerPermissions, deadLetterPermissions } from '@saleschannel/messaging';
import type { Secrets } from './secrets.ts';
import { ADMIN, AUDITOR, brokerServices, databaseServices, type ProgramName, type ServiceName } from './services.ts';

/** Prefix of the names of exchanges and queues. */
export const NAMESPACE = 'saleschannel';
/** Virtual host of the broker. */
export const VHOST = 'saleschannel';

/** Database role of a service. Its database has the same name. */
const roleOf = (service: ProgramName): string => `saleschannel_${service.replaceAll('-', '_')}`;

function textOf(texts: Readonly<Record<string, string>>, name: string): string {
  const text = texts[name];
  if (text === undefined) throw new Error(`The secrets have no password of ${name}. Complete them first.`);
  return text;
}

/** Role that owns and migrates the tables of a service. */
const ownerOf = (service: ProgramName): string => `${roleOf(service)}_owner`;
/** Reads all databases. */
export const AUDITOR_ROLE = 'saleschannel_auditor';
/** Reads statistics of the server for postgres_exporter, and no table. */
const MONITOR_ROLE = 'saleschannel_monitor';

/** A role, its database of the same name, and the owner of that database. */
export interface DatabaseRole {
  readonly service: ServiceName;
  readonly role: string;
  readonly password: string;
  readonly owner: string;
  readonly ownerPassword: string;
}

export const databaseRoles = ({ databasePasswords, databaseOwnerPasswords }: Secrets): DatabaseRole[] =>
  databaseServices.map((service) => ({
    service,
    role: roleOf(service),
    password: textOf(databasePasswords, service),
    owner: ownerOf(service),
    ownerPassword: textOf(databaseOwnerPasswords, service),
  }));

/** Input of deploy/postgres/roles.sh: a line for monitor, one for auditor, and one for each database. */
export const rolesFile = (secrets: Secrets): string =>
  [
    `${MONITOR_ROLE} ${secrets.databaseMonitorPassword}\n`,
    `${AUDITOR_ROLE} ${secrets.databaseAuditorPassword}\n`,
    ...databaseRoles(secrets).map(
      ({ role, password, owner, ownerPassword }) => `${role} ${password} ${owner} ${ownerPassword}\n`,
    ),
  ].join('');

function urlAs(server: string, role: string, password: string, database: string): string {
  const url = new URL(server);
  url.username = role;
  url.password = password;
  url.pathname = `/${database}`;
  return url.href;
}

/** @param server such as `postgres://host:5432?sslmode=verify-full`; user and database are replaced */
export const toDatabaseUrl = (service: ProgramName, secrets: Secrets, server: string): string =>
  urlAs(server, roleOf(service), textOf(secrets.databasePasswords, service), roleOf(service));

/** URL with the role that owns the tables. @param server as above */
export const toMigrationUrl = (service: ProgramName, secrets: Secrets, server: string): string =>
  urlAs(server, ownerOf(service), textOf(secrets.databaseOwnerPasswords, service), roleOf(service));

/** URL with the auditor's role, and `{service}` in place of the database. @param server as above */
export const toAuditUrl = (secrets: Pick<Secrets, 'databaseAuditorPassword'>, server: string): string =>
  urlAs(server, AUDITOR_ROLE, secrets.databaseAuditorPassword, '').replace(
    /^([^?]*)/,
    (address) => `${address}saleschannel_{service}`,
  );

/** @param user a program or listener @param server such as `amqp://host:5672` */
export function toBrokerUrl(user: string, secrets: Secrets, server: string): string {
  const url = new URL(server);
  url.username = user;
  url.password = textOf(secrets.brokerPasswords, user);
  url.pathname = `/${VHOST}`;
  return url.href;
}

const everything = { configure: '.*', write: '.*', read: '.*' };
const nothing = { configure: '^$', write: '^$', read: '^$' };

/** Broker users: one per service, with rights on its own queues and the exchanges, and those of the commands. */
export const brokerUsers = ({ brokerPasswords }: Secrets): (BrokerUser & { readonly name: ProgramName })[] => [
  ...brokerServices.map((service) => ({
    name: service,
    password: textOf(brokerPasswords, service),
    ...(service === 'console' ? deadLetterPermissions(NAMESPACE) : permissionsOf(service, NAMESPACE)),
  })),
  // Reads the dead letters of all queues and returns them.
  { name: ADMIN, password: textOf(brokerPasswords, ADMIN), ...everything },
  // Every user of the virtual host can read queue lengths.
  { name: AUDITOR, password: textOf(brokerPasswords, AUDITOR), ...nothing },
];

/** Broker users of external listeners, with rights on their own names and event types. */
export const brokerListenerUsers = ({ brokerPasswords, brokerListeners }: Secrets): BrokerUser[] =>
  Object.entries(brokerListeners).map(([name, events]) => ({
    name,
    password: textOf(brokerPasswords, name),
    ...listenerPermissions(name, NAMESPACE, events),
  }));

const allBrokerUsers = (secrets: Secrets): BrokerUser[] => [...brokerUsers(secrets), ...brokerListenerUsers(secrets)];

/** Definitions that RabbitMQ imports at its start: virtual host, users and permissions. */
export const brokerDefinitions = (secrets: Secrets): object => ({
  vhosts: [{ name: VHOST }],
  users: allBrokerUsers(secrets).map(({ name, password }) => ({
    name,
    password_hash: hashRabbitPassword(password, Buffer.from(textOf(secrets.brokerSalts, name), 'base64')),
    hashing_algorithm: 'rabbit_password_hashing_sha256',
    tags: '',
  })),
  permissions: allBrokerUsers(secrets).map(({ name, configure, write, read }) => ({
    user: name,
    vhost: VHOST,
    configure,
    write,
    read,
  })),
  topic_permissions: allBrokerUsers(secrets).flatMap(({ name, topics }) =>
    topics ? [{ user: name, vhost: VHOST, ...topics }] : [],
  ),
});
