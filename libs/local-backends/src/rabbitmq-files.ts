import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { changeOwner } from './system-user.ts';
import type { ServerUser } from './system-user.ts';

/** A user of the broker. The patterns are RabbitMQ's regular expressions for configure, write and read permissions. */
export interface BrokerUser {
  readonly name: string;
  readonly password: string;
  readonly configure: string;
  readonly write: string;
  readonly read: string;
  /** Permissions on routing keys of one exchange. Without it, any routing key. */
  readonly topics?: { readonly exchange: string; readonly write: string; readonly read: string };
}

export interface NodePorts {
  readonly amqp: number;
  readonly distribution: number;
  readonly epmd: number;
  readonly tls?: number;
}

/** A certificate and its key, as PEM. */
export interface NodeTls {
  readonly certificate: string;
  readonly privateKey: string;
}

interface NodeKind {
  readonly cluster: ClusterNode | undefined;
  readonly tls: NodeTls | undefined;
}

/** A node of a cluster. All nodes run on this machine, and share cookie and port mapper. */
export interface ClusterNode {
  readonly cookie: string;
  /** Host names are `localhost`. */
  readonly nodeNames: readonly string[];
  readonly nodeName: string;
}

const SALT_BYTES = 4;
const HOST = '127.0.0.1';

/** Hashes a password as RabbitMQ does: base64(salt ‖ SHA-256(salt ‖ password)), with four bytes of salt. */
export function hashRabbitPassword(password: string, salt: Buffer = randomBytes(SALT_BYTES)): string {
  const digest = createHash('sha256').update(salt).update(password, 'utf8').digest();
  return Buffer.concat([salt, digest]).toString('base64');
}

/**
 * Definitions that the node imports at every start. With definitions configured, RabbitMQ creates no user 'guest'. An
 * import overwrites existing users, so changed passwords and permissions apply from the next start on.
 */
const definitions = (vhost: string, users: readonly BrokerUser[]): unknown => ({
  vhosts: [{ name: vhost }],
  users: users.map(({ name, password }) => ({
    name,
    password_hash: hashRabbitPassword(password),
    hashing_algorithm: 'rabbit_password_hashing_sha256',
    tags: '',
  })),
  permissions: users.map(({ name, configure, write, read }) => ({ user: name, vhost, configure, write, read })),
  topic_permissions: users.flatMap(({ name, topics }) => (topics ? [{ user: name, vhost, ...topics }] : [])),
});

/**
 * Returns the configuration of a small broker for one machine. A nearly full disk does not block publishers, and a
 * quorum queue's log does not grow to 512 MB. A consumer may wait for its database for up to thirty days.
 */
const configuration = (
  ports: NodePorts,
  definitionsFile: string,
  cluster: ClusterNode | undefined,
  tlsLines: string,
): string => `${formatPeers(cluster)}listeners.tcp.1 = ${HOST}:${ports.amqp}
${tlsLines}load_definitions = ${definitionsFile}
disk_free_limit.absolute = 50MB
vm_memory_high_watermark.relative = 0.4
raft.wal_max_size_bytes = 67108864
consumer_timeout = 2592000000
log.file.level = info
log.file.rotation.size = 10485760
log.file.rotation.count = 3
`;

const formatPeers = (cluster: ClusterNode | undefined): string =>
  cluster === undefined
    ? ''
    : [
        'cluster_formation.peer_discovery_backend = classic_config',
        ...cluster.nodeNames.map((name, index) => `cluster_formation.classic_config.nodes.${index + 1} = ${name}`),
        '',
      ].join('\n');

/**
 * Writes the node's files and returns its complete environment. Every setting that RabbitMQ would look for below /etc
 * points into the folder, so nothing of the machine's own broker is read.
 */
export function prepareNode(
  directory: string,
  user: ServerUser,
  ports: NodePorts,
  vhost: string,
  users: readonly BrokerUser[],
  { cluster, tls }: NodeKind,
): Record<string, string> {
  const inside = (...names: string[]): string => join(directory, ...names);
  for (const folder of ['home', 'config', 'mnesia', 'log']) {
    mkdirSync(inside(folder), { recursive: true, mode: 0o700 });
    changeOwner(inside(folder), user);
  }
  const write = (file: string, text: string, mode = 0o600): string => {
    writeFileSync(file, text, { mode });
    changeOwner(file, user);
    return file;
  };
  const cookie = inside('home', '.erlang.cookie');
  if (!existsSync(cookie)) write(cookie, cluster?.cookie ?? randomBytes(24).toString('hex'), 0o400);
  const definitionsFile = write(
    inside('config', 'definitions.json'),
    JSON.stringify(definitions(vhost, users), undefined, 2),
  );
  const tlsLines =
    tls && ports.tls !== undefined
      ? `listeners.ssl.1 = ${HOST}:${ports.tls}
ssl_options.certfile = ${write(inside('config', 'tls.crt'), tls.certificate)}
ssl_options.keyfile = ${write(inside('config', 'tls.key'), tls.privateKey)}
ssl_options.verify = verify_none
`
      : String();
  return {
    PATH: process.env.PATH ?? '/usr/bin:/bin',
    LANG: 'C.UTF-8',
    HOME: inside('home'),
    ERL_EPMD_PORT: String(ports.epmd),
    ERL_EPMD_ADDRESS: HOST,
    ERL_CRASH_DUMP_SECONDS: '0',
    // The start script then becomes the Erlang machine instead of waiting for it, so signals and the process id are the
    // broker's own.
    detached: 'true',
    RABBITMQ_NODENAME: cluster?.nodeName ?? 'saleschannel@localhost',
    RABBITMQ_DIST_PORT: String(ports.distribution),
    RABBITMQ_CONF_ENV_FILE: write(inside('config', 'rabbitmq-env.conf'), ''),
    RABBITMQ_CONFIG_FILE: write(
      inside('config', 'rabbitmq.conf'),
      configuration(ports, definitionsFile, cluster, tlsLines),
    ),
    RABBITMQ_CONFIG_FILES: inside('config', 'conf.d'),
    RABBITMQ_ADVANCED_CONFIG_FILE: write(inside('config', 'advanced.config'), '[].\n'),
    RABBITMQ_ENABLED_PLUGINS_FILE: write(inside('config', 'enabled_plugins'), '[].\n'),
    RABBITMQ_GENERATED_CONFIG_DIR: inside('config', 'generated'),
    RABBITMQ_MNESIA_BASE: inside('mnesia'),
    RABBITMQ_LOG_BASE: inside('log'),
    RABBITMQ_PID_FILE: inside('rabbitmq.pid'),
    RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS: '-start_epmd false -kernel inet_dist_use_interface {127,0,0,1}',
  };
}
