import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { databaseNames } from '@saleschannel/auditor';
import { variablesOfAllInOne, type Place, type ServiceName } from '@saleschannel/installation';
import { supervise, type SupervisedProcess } from '@saleschannel/local';
import { freePort } from '@saleschannel/local-backends';
import { ledgerPartitionOf, ledgerPartitions } from '@saleschannel/messaging';
import { eventually } from '@saleschannel/testing';
import type { Client } from '../src/client.ts';
import { useSystem } from './support/system.ts';
import {
  buyer,
  inventoryPath,
  issue,
  keyed,
  operator,
  seller,
  v1,
  type Issue,
  type LogEvent,
  type Task,
} from './support/world.ts';

/**
 * Two processes, each with all services, take over the databases and the broker of a system whose services stop. Under
 * load one is told to stop, and the other is killed, in turn. Every trade that a client was told of, or asks for again
 * with the same key, happens once.
 */

const LIMIT_MS = 600_000;
const STOP_LIMIT_MS = 60_000;
const READY_LIMIT_MS = 240_000;
const SERIALS = 10_000;
/** Trades after each change of the processes. Each partition of the ledger has some of them. */
const TRADES_BETWEEN = 4 * ledgerPartitions.length;
const AGAIN_MS = 50;

const hosted: readonly ServiceName[] = [...databaseNames, 'gateway'];
const system = useSystem();

interface Replica extends SupervisedProcess {
  readonly client: Client;
}

const running = new Set<Replica>();
afterAll(() => Promise.all([...running].map((replica) => replica.kill())));

async function startReplica(): Promise<Replica> {
  const ports: Partial<Record<ServiceName, number>> = {};
  for (const name of hosted) ports[name] = await freePort();
  const place: Place = { ...system().place, ports };
  const process = supervise({
    name: 'all-in-one',
    args: ['--services', hosted.join()],
    variables: { ...variablesOfAllInOne(hosted, place), LOG_LEVEL: 'fatal' },
    format: 'json',
    readyLimitMs: READY_LIMIT_MS,
    stopLimitMs: STOP_LIMIT_MS,
  });
  const client = system().as(operator(system().channels[0]), `http://127.0.0.1:${ports.gateway}`);
  const replica: Replica = Object.create(process, { client: { value: client } }) as Replica;
  running.add(replica);
  await replica.start();
  return replica;
}

/** An issuance for each partition of the ledger. */
const issueEverywhere = (): Promise<Issue[]> =>
  Promise.all(
    ledgerPartitions.map((partition) => {
      let issuanceId = randomUUID();
      while (ledgerPartitionOf(`${issuanceId}_1`, ledgerPartitions.length) !== partition) issuanceId = randomUUID();
      return issue(system(), system().channels[0], { issuanceId, lastSerial: String(SERIALS) });
    }),
  );

/** Trades serial by serial, until told to stop. What a replica does not answer is asked of the next one. */
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
      const headers = keyed();
      const { taskId } = await this.#ask((client) => client.ok<Task>('POST', this.#path, { body, headers }));
      const { status, responsePayload } = await this.#ask(async (client) => {
        const task = await client.ok<Task>('GET', `${this.#path}/${taskId}`);
        return task.status === 'PENDING' ? undefined : task;
      });
      expect(status).toBe('SUCCESS');
      this.transactions.push(String(responsePayload.id));
    }
  }

  /** Asks one replica after the other until there is an answer. */
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
  return Number((await system().sql<{ count: string }>('inventory', text))[0]?.count);
};

let replicas: Replica[];
let issues: Issue[];
beforeAll(async () => {
  issues = await issueEverywhere();
  await Promise.all(databaseNames.map((name) => system().stopService(name)));
  replicas = await Promise.all([startReplica(), startReplica()]);
}, LIMIT_MS);

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

    // Back to processes of their own, here those of the test: they go on with the same data.
    await Promise.all(replicas.map((replica) => replica.stop()));
    running.clear();
    await Promise.all(databaseNames.map((name) => system().startService(name)));
    await system().drained();
    const client = system().as(operator(system().channels[0]));
    const heard: string[] = [];
    for (let offset = 0; heard.length === offset; offset += 1_000) {
      const page = await client.ok<LogEvent[]>('GET', `${v1}/events`, {
        query: { $orderBy: '{"createdAt":"asc"}', $limit: '1000', $offset: String(offset) },
      });
      heard.push(...page.map(({ payload }) => payload.transactionId));
    }
    const traded = new Set(load.transactions);
    expect(traded.size).toBe(load.transactions.length);
    expect(heard.filter((id) => traded.has(id)).toSorted()).toEqual([...traded].toSorted());
  },
  LIMIT_MS,
);
