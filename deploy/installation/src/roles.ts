import { rabbitPasswordHash, type BrokerUser } from '@saleschannel/local-backends';
import { permissionsOf } from '@saleschannel/messaging';
import type { Secrets } from './secrets.ts';
import { ADMIN, brokerServices, databaseServices, type ProgramName, type ServiceName } from './services.ts';

/** What the names of exchanges and queues begin with. */
export const NAMESPACE = 'saleschannel';
/** The broker's virtual host. */
export const VHOST = 'saleschannel';

/** A service's role on the database server. Its database has the same name. */
const roleOf = (service: ProgramName): string => `saleschannel_${service.replaceAll('-', '_')}`;

function textOf(texts: Readonly<Record<string, string>>, name: ProgramName): string {
  const text = texts[name];
  if (text === undefined) throw new Error(`the secrets have nothing for ${name}: complete them first`);
  return text;
}

/** A role with the database of the same name. */
export interface DatabaseRole {
  readonly service: ServiceName;
  readonly role: string;
  readonly password: string;
}

export const databaseRoles = ({ databasePasswords }: Secrets): DatabaseRole[] =>
  databaseServices.map((service) => ({
    service,
    role: roleOf(service),
    password: textOf(databasePasswords, service),
  }));

/** The lines that deploy/postgres/roles.sh reads. */
export const rolesFile = (secrets: Secrets): string =>
  databaseRoles(secrets)
    .map(({ role, password }) => `${role} ${password}\n`)
    .join('');

/** @param server such as `postgres://host:5432?sslmode=verify-full`. Its own user and database are replaced */
export function databaseUrlOf(service: ProgramName, secrets: Secrets, server: string): string {
  const url = new URL(server);
  url.username = roleOf(service);
  url.password = textOf(secrets.databasePasswords, service);
  url.pathname = `/${roleOf(service)}`;
  return url.href;
}

/** @param server such as `amqp://host:5672` */
export function brokerUrlOf(program: ProgramName, secrets: Secrets, server: string): string {
  const url = new URL(server);
  url.username = program;
  url.password = textOf(secrets.brokerPasswords, program);
  url.pathname = `/${VHOST}`;
  return url.href;
}

const everything = { configure: '.*', write: '.*', read: '.*' };

/** A user for each service, which may touch its own queues and the exchanges, and one for the admin command. */
export const brokerUsers = ({ brokerPasswords }: Secrets): (BrokerUser & { readonly name: ProgramName })[] => [
  ...brokerServices.map((service) => ({
    name: service,
    password: textOf(brokerPasswords, service),
    ...permissionsOf(service, NAMESPACE),
  })),
  // It reads the dead letters of all queues and hands them back.
  { name: ADMIN, password: textOf(brokerPasswords, ADMIN), ...everything },
];

/** What RabbitMQ imports at its start: the virtual host, the users and their permissions. */
export const brokerDefinitions = (secrets: Secrets): object => ({
  vhosts: [{ name: VHOST }],
  users: brokerUsers(secrets).map(({ name, password }) => ({
    name,
    password_hash: rabbitPasswordHash(password, Buffer.from(textOf(secrets.brokerSalts, name), 'base64')),
    hashing_algorithm: 'rabbit_password_hashing_sha256',
    tags: '',
  })),
  permissions: brokerUsers(secrets).map(({ name, configure, write, read }) => ({
    user: name,
    vhost: VHOST,
    configure,
    write,
    read,
  })),
});
