import { rabbitPasswordHash, type BrokerUser } from '@saleschannel/local-backends';
import { permissionsOf, permissionsOfListener, permissionsOverDeadLetters } from '@saleschannel/messaging';
import type { Secrets } from './secrets.ts';
import { ADMIN, AUDITOR, brokerServices, databaseServices, type ProgramName, type ServiceName } from './services.ts';

/** What the names of exchanges and queues begin with. */
export const NAMESPACE = 'saleschannel';
/** The broker's virtual host. */
export const VHOST = 'saleschannel';

/** A service's role on the database server. Its database has the same name. */
const roleOf = (service: ProgramName): string => `saleschannel_${service.replaceAll('-', '_')}`;

function textOf(texts: Readonly<Record<string, string>>, name: string): string {
  const text = texts[name];
  if (text === undefined) throw new Error(`The secrets have no password of ${name}. Complete them first.`);
  return text;
}

/** The role that owns a service's tables, and changes them. */
const ownerOf = (service: ProgramName): string => `${roleOf(service)}_owner`;
/** Reads all databases, and changes nothing. */
export const AUDITOR_ROLE = 'saleschannel_auditor';
/** Sees how the server is, for postgres_exporter. It reads no table. */
const MONITOR_ROLE = 'saleschannel_monitor';

/** A role with the database of the same name, and the owner of that database. */
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

/** The lines that deploy/postgres/roles.sh reads: those of monitor and auditor first, then one for each database. */
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

/** @param server such as `postgres://host:5432?sslmode=verify-full`. Its own user and database are replaced */
export const databaseUrlOf = (service: ProgramName, secrets: Secrets, server: string): string =>
  urlAs(server, roleOf(service), textOf(secrets.databasePasswords, service), roleOf(service));

/** With the role that owns the tables. @param server as above */
export const migrationUrlOf = (service: ProgramName, secrets: Secrets, server: string): string =>
  urlAs(server, ownerOf(service), textOf(secrets.databaseOwnerPasswords, service), roleOf(service));

/** With the role that reads all databases, and `{service}` for the one that is read. @param server as above */
export const auditUrlOf = (secrets: Pick<Secrets, 'databaseAuditorPassword'>, server: string): string =>
  urlAs(server, AUDITOR_ROLE, secrets.databaseAuditorPassword, '').replace(
    /^([^?]*)/,
    (address) => `${address}saleschannel_{service}`,
  );

/** @param user a program, or a listener. @param server such as `amqp://host:5672` */
export function brokerUrlOf(user: string, secrets: Secrets, server: string): string {
  const url = new URL(server);
  url.username = user;
  url.password = textOf(secrets.brokerPasswords, user);
  url.pathname = `/${VHOST}`;
  return url.href;
}

const everything = { configure: '.*', write: '.*', read: '.*' };
const nothing = { configure: '^$', write: '^$', read: '^$' };

/** A user for each service, which may touch its own queues and the exchanges, and those of the commands. */
export const brokerUsers = ({ brokerPasswords }: Secrets): (BrokerUser & { readonly name: ProgramName })[] => [
  ...brokerServices.map((service) => ({
    name: service,
    password: textOf(brokerPasswords, service),
    ...(service === 'console' ? permissionsOverDeadLetters(NAMESPACE) : permissionsOf(service, NAMESPACE)),
  })),
  // It reads the dead letters of all queues and hands them back.
  { name: ADMIN, password: textOf(brokerPasswords, ADMIN), ...everything },
  // How many messages wait in a queue is told to everybody of the virtual host.
  { name: AUDITOR, password: textOf(brokerPasswords, AUDITOR), ...nothing },
];

/** A user for each program of others that listens. It touches its own names, and hears what it was let hear. */
export const brokerListenerUsers = ({ brokerPasswords, brokerListeners }: Secrets): BrokerUser[] =>
  Object.entries(brokerListeners).map(([name, events]) => ({
    name,
    password: textOf(brokerPasswords, name),
    ...permissionsOfListener(name, NAMESPACE, events),
  }));

const allBrokerUsers = (secrets: Secrets): BrokerUser[] => [...brokerUsers(secrets), ...brokerListenerUsers(secrets)];

/** What RabbitMQ imports at its start: the virtual host, the users and their permissions. */
export const brokerDefinitions = (secrets: Secrets): object => ({
  vhosts: [{ name: VHOST }],
  users: allBrokerUsers(secrets).map(({ name, password }) => ({
    name,
    password_hash: rabbitPasswordHash(password, Buffer.from(textOf(secrets.brokerSalts, name), 'base64')),
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
