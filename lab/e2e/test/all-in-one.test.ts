import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { databaseNames } from '@saleschannel/auditor';
import { createHealthProbe } from '@saleschannel/grpc';
import { joinServiceVariables, type LocalInstallation, type ServiceName } from '@saleschannel/installation';
import { supervise, type SupervisedProcess } from '@saleschannel/local';
import { findFreePort } from '@saleschannel/local-backends';
import { ledgerPartitionOf, ledgerPartitions } from '@saleschannel/messaging';
import { eventually } from '@saleschannel/testing';
import type { Client } from '../src/client.ts';
import { useOwnSystem } from './support/system.ts';
import {
  buyer,
  waitForEnd,
  inventoryPath,
  issue,
  withIdempotencyKey,
  operator,
  seller,
  type Issue,
  type Task,
} from './support/api.ts';

/**
 * Two processes, each with all services, take over the databases and the broker of a system whose services stop. Trades
 * continue while one process stops in order and the other is then killed. Each accepted trade happens once, even if the
 * client repeats it with the same key. The same holds for one process without RabbitMQ.
 */

const LIMIT_MS = 600_000;
const STOP_LIMIT_MS = 60_000;
const READY_LIMIT_MS = 240_000;
const SERIALS = 10_000;
/** Trades after each change of the processes, several in each partition of the ledger. */
const TRADES_BETWEEN = 4 * ledgerPartitions.length;
const AGAIN_MS = 50;
const PROBE_TIMEOUT_MS = 60_000;

const hosted: readonly ServiceName[] = [...databaseNames, 'gateway'];
const system = useOwnSystem();

/** Accepts spans like a collector, and records the names of their services. */
const traced = new Set<string>();
interface Spans {
  resourceSpans: { resource: { attributes: { key: string; value: { stringValue?: string } }[] } }[];
}
const collector = createServer(async (incoming, outgoing) => {
  const { resourceSpans } = (await json(incoming)) as Spans;
  for (const { key, value } of resourceSpans.flatMap(({ resource }) => resource.attributes))
    if (key === 'service.name') traced.add(String(value.stringValue));
  outgoing.end('{}');
});
const getPort = (server: Server): number => (server.address() as AddressInfo).port;
beforeAll(() => new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve)));
afterAll(() => void collector.close());

interface Replica extends SupervisedProcess {
  readonly client: Client;
  readonly metricsPort: number;
  readonly healthPort: number;
}

const running = new Set<Replica>();
afterAll(() => Promise.all([...running].map((replica) => replica.kill())));

async function startReplica(changed: Readonly<Record<string, string>> = {}): Promise<Replica> {
  const ports: Partial<Record<ServiceName, number>> = { ...system().place.ports };
  for (const name of hosted) ports[name] = await findFreePort();
  const place: LocalInstallation = { ...system().place, ports };
  const [metricsPort, healthPort] = [await findFreePort(), await findFreePort()];
  const process = supervise({
    name: 'all-in-one',
    args: ['--services', hosted.join()],
    variables: {
      ...joinServiceVariables(hosted, place),
      LOG_LEVEL: 'fatal',
      METRICS_PORT: String(metricsPort),
      GRPC_HEALTH_PORT: String(healthPort),
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${getPort(collector)}`,
      // Clients switch to the other process while this one drains.
      DRAIN_SECONDS: '1',
      ...changed,
    },
    format: 'json',
    readyLimitMs: READY_LIMIT_MS,
    stopLimitMs: STOP_LIMIT_MS,
  });
  const client = system().createClient(operator(system().channels[0]), `http://127.0.0.1:${ports.gateway}`);
  const own = { client: { value: client }, metricsPort: { value: metricsPort }, healthPort: { value: healthPort } };
  const replica: Replica = Object.create(process, own) as Replica;
  running.add(replica);
  await replica.start();
  return replica;
}

/** Issues certificates in each partition of the ledger. */
const issueEverywhere = (): Promise<Issue[]> =>
  Promise.all(
    ledgerPartitions.map((partition) => {
      let issuanceId = randomUUID();
      while (ledgerPartitionOf(`${issuanceId}_1`, ledgerPartitions.length) !== partition) issuanceId = randomUUID();
      return issue(system(), system().channels[0], { issuanceId, lastSerial: String(SERIALS) });
    }),
  );

/** Trades certificate by certificate until stopped. Requests that a replica does not answer go to the next one. */
class Load {
  readonly #replicas: () => readonly Replica[];
  readonly #path = inventoryPath(seller(system().channels[0]).id, 'trade');
  readonly #underWay: Promise<void>[];
  #turn = 0;
  #isDone = false;
  readonly transactions: string[] = [];

  constructor(issues: readonly Issue[], replicas: () => readonly Replica[]) {
    this.#replicas = replicas;
    this.#underWay = issues.map((issued) => this.#tradeAll(issued));
  }

  async stop(): Promise<void> {
    this.#isDone = true;
    await Promise.all(this.#underWay);
  }

  async more(count: number): Promise<void> {
    const before = this.transactions.length;
    const enough = eventually(() => Promise.resolve(this.transactions.length >= before + count), 'further trades');
    await Promise.race([enough, Promise.all(this.#underWay)]);
  }

  async #tradeAll({ range }: Issue): Promise<void> {
    for (let serial = 1; !this.#isDone; serial += 1) {
      const assets = [{ ...range(serial, serial), unitPrice: 1 }];
      const body = { buyerId: buyer(system().channels[0]).id, currency: 'EUR', assets };
      const headers = withIdempotencyKey();
      const { taskId } = await this.#ask((client) => client.ok<Task>('POST', this.#path, { body, headers }));
      const { status, responsePayload } = await this.#ask(async (client) => {
        const task = await client.ok<Task>('GET', `${this.#path}/${taskId}`);
        return task.status === 'PENDING' ? undefined : task;
      });
      expect(status).toBe('SUCCESS');
      this.transactions.push(String(responsePayload.id));
    }
  }

  /** Asks the replicas in turn until one answers. */
  #ask<T>(question: (client: Client) => Promise<T | undefined>): Promise<T> {
    const ask = async (): Promise<T | undefined> => {
      const replicas = this.#replicas();
      const client = replicas[this.#turn++ % replicas.length]?.client;
      return client && question(client).catch(() => undefined);
    };
    return eventually(ask, 'an answer of any replica', { atMostMs: LIMIT_MS, everyMs: AGAIN_MS });
  }
}

const liveReplicas = async (): Promise<number> => {
  const text = "select count(*) from ledger_replica where seen_at > clock_timestamp() - interval '5 seconds'";
  return Number((await system().querySql<{ count: string }>('inventory', text))[0]?.count);
};

/** Restarts the services in the test process with the same data, and checks that each trade happened once. */
async function expectEachOnce({ transactions }: Load): Promise<void> {
  await Promise.all(replicas.map((replica) => replica.stop()));
  running.clear();
  await Promise.all(databaseNames.map((name) => system().startService(name)));
  await system().waitUntilDrained();
  const events = await system().querySql<{ id: string }>('events', 'select transaction_id as id from event');
  const traded = new Set(transactions);
  expect(traded.size).toBe(transactions.length);
  const logged = events.map(({ id }) => id).filter((id) => traded.has(id));
  expect(logged.toSorted()).toEqual([...traded].toSorted());
}

let replicas: Replica[];
let issues: Issue[];
let further: Issue;
beforeAll(async () => {
  issues = await issueEverywhere();
  further = await issue(system(), system().channels[0]);
  await Promise.all(databaseNames.map((name) => system().stopService(name)));
  replicas = await Promise.all([startReplica(), startReplica()]);
}, LIMIT_MS);

test(
  'a process reports traces and metrics per service, and one health for all',
  async () => {
    const [{ client, metricsPort, healthPort }] = replicas as [Replica];
    const probe = createHealthProbe(`127.0.0.1:${healthPort}`);
    expect(await probe.isServing(PROBE_TIMEOUT_MS)).toBe(true);
    probe.close();
    const path = inventoryPath(seller(system().channels[0]).id, 'trade');
    const assets = [{ ...further.range(1, 1), unitPrice: 1 }];
    const body = { buyerId: buyer(system().channels[0]).id, currency: 'EUR', assets };
    const { taskId } = await client.ok<Task>('POST', path, { body, headers: withIdempotencyKey() });
    expect(await waitForEnd(client, `${path}/${taskId}`)).toMatchObject({ status: 'SUCCESS' });
    const answer = await fetch(`http://127.0.0.1:${metricsPort}/metrics`);
    const lines = (await answer.text()).split('\n');
    const listServices = (name: string): string[] => [
      ...new Set(
        lines
          .filter((line) => line.startsWith(`${name}{`))
          .map((line) => /service_name="([^"]*)"/.exec(line)?.[1] ?? 'none'),
      ),
    ];
    expect(listServices('rpc_server_call_duration_seconds_count')).toEqual(
      expect.arrayContaining(['identity', 'traders', 'inventory', 'tasks', 'registry-import']),
    );
    expect(listServices('http_server_request_duration_seconds_count')).toEqual(['gateway']);
    expect(listServices('process_uptime_seconds')).toEqual(['all-in-one']);
    await eventually(
      async () => ['gateway', 'tasks', 'inventory', 'events', 'traders'].every((name) => traced.has(name)),
      'spans of all services',
    );
  },
  LIMIT_MS,
);

test(
  'processes stop and are killed under load, and every trade happens once',
  async () => {
    await eventually(async () => (await liveReplicas()) === 2, 'two replicas that share the ledger');
    const load = new Load(issues, () => replicas);
    await load.more(TRADES_BETWEEN);

    const [stopped, killed] = replicas as [Replica, Replica];
    running.delete(stopped);
    expect(await stopped.stop()).toBe('exit code 0');
    expect(await liveReplicas()).toBe(1);
    await load.more(TRADES_BETWEEN);
    const replacement = await startReplica();
    replicas = [replacement, killed];
    await eventually(async () => (await liveReplicas()) === 2, 'two replicas after a stop');
    await load.more(TRADES_BETWEEN);

    const { pid } = killed;
    process.kill(pid ?? 0, 'SIGKILL');
    await load.more(TRADES_BETWEEN);
    await eventually(async () => killed.pid !== undefined && killed.pid !== pid, 'the killed process again');
    await load.more(TRADES_BETWEEN);
    expect(killed.crashes).toBe(1);
    await load.stop();

    await expectEachOnce(load);
  },
  LIMIT_MS,
);

test(
  'one process without RabbitMQ is killed under load, and every trade happens once',
  async () => {
    const issued = await issueEverywhere();
    await Promise.all(databaseNames.map((name) => system().stopService(name)));
    const withoutBroker = await startReplica({ AMQP_URL: 'in-process:alone' });
    replicas = [withoutBroker];
    const load = new Load(issued, () => replicas);
    await load.more(TRADES_BETWEEN);
    for (const crashes of [1, 2]) {
      process.kill(withoutBroker.pid ?? 0, 'SIGKILL');
      await load.more(TRADES_BETWEEN);
      expect(withoutBroker.crashes).toBe(crashes);
    }
    await load.stop();
    await expectEachOnce(load);
  },
  LIMIT_MS,
);
