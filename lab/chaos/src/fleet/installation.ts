import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect, type ChannelModel, type ConfirmChannel } from 'amqplib';
import {
  ADMIN,
  AUDIENCE,
  toBrokerUrl,
  completeSecrets,
  databaseServices,
  variablesOf,
  variablesOfMigration,
  type LocalInstallation,
  type Secrets,
  type ServiceName,
} from '@saleschannel/installation';
import {
  connectAdministration,
  toClientsFile,
  createDemo,
  issuerOf,
  migrate,
  openDatabases,
  prepareLocalInstallation,
  Running,
  supervise,
  type Demo,
  type SupervisedProcess,
} from '@saleschannel/local';
import { ensureRabbitMqInstalled, findFreePort } from '@saleschannel/local-backends';
import { Client } from 'pg';
import { Fleet } from './fleet.ts';
import type { Unit } from './replicas.ts';
import { createPostgres, createRabbitMq, type Postgres, type RabbitMq } from './servers.ts';

interface InstallationOptions {
  /** Folder for all data, keys and logs. */
  readonly folder: string;
  readonly units: readonly Unit[];
  /** Folder of the services' sources. */
  readonly root: string;
  log(line: string): void;
}

const AMQP_HEARTBEAT_SECONDS = 10;

/** Settings of a run: no rate limits, and shortened documented periods. */
const settings = {
  LOG_LEVEL: 'info',
  RATE_LIMIT_PER_SECOND: '1000000',
  RATE_LIMIT_BURST: '1000000',
  CHANNEL_RATE_LIMIT_PER_SECOND: '1000000',
  CHANNEL_RATE_LIMIT_BURST: '1000000',
  PUBLIC_RATE_LIMIT_PER_SECOND: '1000000',
  PUBLIC_RATE_LIMIT_BURST: '1000000',
  FAILED_LOGINS_PER_MINUTE: '1000000',
  LEDGER_PARTITIONS: '8',
  RECONCILE_SECONDS: '2',
  RECONCILE_GRACE_SECONDS: '12',
  TASK_PICK_UP_SECONDS: '5',
  DRAIN_SECONDS: '1',
} as const;

/** Two replicas of every service with their servers, and the actions of an operator. */
export class Installation {
  readonly fleet: Fleet;
  readonly postgres: Postgres;
  readonly broker: RabbitMq;
  readonly place: LocalInstallation;
  readonly log: (line: string) => void;
  readonly #folder: string;
  readonly #idp: SupervisedProcess;

  private constructor({ fleet, postgres, broker, place, log, folder, idp }: InstallationParts) {
    this.fleet = fleet;
    this.postgres = postgres;
    this.broker = broker;
    this.place = place;
    this.log = log;
    this.#folder = folder;
    this.#idp = idp;
  }

  /** Starts everything with empty databases. */
  static async open({ folder, units, root, log }: InstallationOptions): Promise<Installation> {
    const logs = join(folder, 'logs');
    mkdirSync(logs, { recursive: true });
    await ensureRabbitMqInstalled(log);
    const secrets = await completeSecrets({});
    const postgres = createPostgres(join(folder, 'postgres'), log);
    const broker = createRabbitMq(join(folder, 'rabbitmq'), secrets, log);
    try {
      await Promise.all([postgres.start(), broker.start()]);
      const place = await preparePlace({ folder, secrets, postgres, broker });
      log('migrations');
      await Promise.all(
        databaseServices.map((name) =>
          migrate({
            name,
            variables: variablesOfMigration(name, place),
            format: 'json',
            root,
            logFile: join(logs, `${name}-migrations.log`),
          }),
        ),
      );
      const idp = supervise({
        name: 'dev-idp',
        variables: variablesOf('dev-idp', place),
        format: 'json',
        root,
        logFile: join(logs, 'dev-idp.log'),
      });
      await idp.start();
      log('starting two replicas of every service');
      const fleet = await Fleet.open({ place, units, root, folder: logs });
      await fleet.startAll();
      return new Installation({ fleet, postgres, broker, place, log, folder, idp });
    } catch (error) {
      await Promise.allSettled([postgres.stop(), broker.stop()]);
      throw error;
    }
  }

  /** Creates sales channels with traders and certificates, through the first gateway's proxy only. */
  async createDemo(): Promise<Demo> {
    const [baseUrl] = this.fleet.gateways;
    if (baseUrl === undefined) throw new Error('There is no gateway.');
    const administration = await connectAdministration({ place: this.fleet.createPlace(1) });
    const file = toClientsFile(this.#folder);
    try {
      return await createDemo({
        baseUrl,
        issuer: issuerOf(this.place.ports['dev-idp'] ?? 0),
        audience: AUDIENCE,
        administration,
        setClients: (clients) => writeFileSync(file, JSON.stringify(clients), { mode: 0o600 }),
      });
    } finally {
      administration.close();
    }
  }

  /** Connects as superuser to the database of a service, or to the server's own, without proxies. */
  async connectToDatabase(service?: ServiceName): Promise<Client> {
    const url = new URL(this.postgres.running.url);
    if (service !== undefined) url.pathname = new URL(this.place.databaseUrlOf(service)).pathname;
    const client = new Client({ connectionString: url.href });
    client.on('error', () => undefined);
    await client.connect();
    return client;
  }

  /** Role with which a service connects to its database. */
  findRole(service: ServiceName): string {
    return new URL(this.place.databaseUrlOf(service)).username;
  }

  /** Connects to the broker as an operator, without proxies. */
  async connectToBroker(): Promise<{ connection: ChannelModel; channel: ConfirmChannel }> {
    const url = new URL(this.place.brokerUrlOf(ADMIN));
    url.searchParams.set('heartbeat', String(AMQP_HEARTBEAT_SECONDS));
    const connection = await connect(url.href);
    connection.on('error', () => undefined);
    const channel = await connection.createConfirmChannel();
    channel.on('error', () => undefined);
    return { connection, channel };
  }

  async stop(): Promise<void> {
    await this.fleet.stop();
    await this.#idp.kill();
    await Promise.all([this.postgres.stop(), this.broker.stop()]);
  }
}

interface InstallationParts {
  readonly fleet: Fleet;
  readonly postgres: Postgres;
  readonly broker: RabbitMq;
  readonly place: LocalInstallation;
  readonly folder: string;
  readonly idp: SupervisedProcess;
  log(line: string): void;
}

interface Servers {
  readonly folder: string;
  readonly secrets: Secrets;
  readonly postgres: Postgres;
  readonly broker: RabbitMq;
}

async function preparePlace({ folder, secrets, postgres, broker }: Servers): Promise<LocalInstallation> {
  const running = new Running(() => undefined);
  const databases = await openDatabases(postgres.running.url, { folder, secrets, running, log: () => undefined });
  const ports = { gatewayPort: await findFreePort(), idpPort: await findFreePort() };
  const local = await prepareLocalInstallation({ folder, ...ports, secrets, databases, variables: settings });
  const { host, port } = broker.running;
  const server = `amqp://${host}:${port}`;
  return { ...local, brokerUrlOf: (program) => toBrokerUrl(program, secrets, server) };
}
