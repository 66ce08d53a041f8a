import { setTimeout as delay } from 'node:timers/promises';
import { httpClient, type HttpClient, type Stack } from '@saleschannel/local';
import { hashSecret, newId, newSecret } from '@saleschannel/primitives';
import { Pool } from 'undici';
import { basicAuthorization, createMarket, type Market } from '../load/markets.ts';
import { runReads, type Read } from '../load/reads.ts';
import { Seller } from '../load/seller.ts';
import { withConnection, buildServiceUrl } from '../measure/database.ts';
import { readCpu, measureCpu, cpuPerOperation, sumSystemCpu, type CpuTimes } from '../measure/processes.ts';
import { startReadReference, type ReadReference } from '../reference/reads.ts';
import { createFigures, type ScenarioContext, type Figure, type Scenario } from '../scenario.ts';
import { UNLIMITED } from './settle.ts';

const ROLE = 'TRANSACTION_ADMINISTRATOR';
const ISSUER = 'urn:saleschannel:bench';

/**
 * Inserts users of a sales channel with one API key each into the databases of identity and rbac. Through the
 * administration ten thousand would take minutes.
 * @returns Authorization header values
 */
async function insertApiKeys(stack: Stack, salesChannelId: string, count: number): Promise<string[]> {
  const [pepper = ''] = stack.place.secrets.apiKeyPepper.replace(/^\d+:/, '').split(',');
  const keys = Array.from({ length: count }, () => {
    const secret = newSecret('scs_key');
    return { userId: newId(), id: newId(), secret, hash: hashSecret(secret, Buffer.from(pepper, 'base64')) };
  });
  const users = keys.map(({ userId }) => userId);
  await withConnection(buildServiceUrl(stack, 'identity'), async (identity) => {
    await identity.query(
      'insert into app_user (id, issuer, subject) select id, $2, id from unnest($1::text[]) as made (id)',
      [users, ISSUER],
    );
    await identity.query(
      `insert into api_key (id, user_id, secret_hash, created_at, expires_at)
       -- Created before the audit trail existed, which would otherwise have to contain them.
       select id, user_id, decode(hash, 'hex'), timestamptz '2020-01-01', now() + interval '1 day'
       from unnest($1::text[], $2::text[], $3::text[]) as made (id, user_id, hash)`,
      [keys.map(({ id }) => id), users, keys.map(({ hash }) => hash.toString('hex'))],
    );
  });
  await withConnection(buildServiceUrl(stack, 'rbac'), async (rbac) => {
    await rbac.query(
      'insert into binding (user_id, sales_channel_id) select id, $2 from unnest($1::text[]) as made (id)',
      [users, salesChannelId],
    );
    await rbac.query('insert into binding_role (user_id, role) select id, $2 from unnest($1::text[]) as made (id)', [
      users,
      ROLE,
    ]);
  });
  return keys.map(({ id, secret }) => basicAuthorization({ username: id, password: secret }));
}

const CONNECTIONS = 128;
/** Time for the compiler, and for the gateway to learn that no key has changed. */
const WARM_UP_SECONDS = 4;
const WARM_UP_KEYS_SECONDS = 16;
const BINDING = '/user-services/users/me/saleschannel-binding';
/** Tasks, transactions and rows, read in rotation. Concurrent reads of one row would share one query. */
const ROWS = 1_000;
const TRADES_AT_ONCE = 32;
const TASK_POLL_MS = 50;
/** Smaller values per process are noise. */
const TOLD_MICROSECONDS = 3;

/** Limits that allow all connections from one address. */
const VARIABLES = {
  ...UNLIMITED,
  CONNECTIONS_PER_ADDRESS: '1000',
  CONNECTIONS_WITHOUT_CREDENTIALS_PER_ADDRESS: '1000',
};

/** Reads by the name of their figure. */
type Kinds = Readonly<Record<'row' | 'hello' | 'poll' | 'transaction' | 'binding' | 'keys', readonly Read[]>>;

interface Measured {
  readonly perSecond: number;
  /** Microseconds of each process per read. */
  readonly cpu: CpuTimes;
}

type Round = Readonly<Record<keyof Kinds, Measured>>;

export const reads: Scenario = {
  name: 'reads',
  describe: `${ROWS} tasks, ${ROWS} transactions and a binding by key ÷ one process with node:http and a prepared read`,
  run: (bench) =>
    bench.withStack({ variables: VARIABLES }, async (stack) => {
      const reference = await startReadReference(stack, ROWS);
      try {
        return toFigures(await alternate(bench, stack, reference, await prepare(bench, stack, reference)));
      } finally {
        await reference.stop();
      }
    }),
};

/** Creates trades, and keys to read their tasks with. */
async function prepare(
  { options, log }: ScenarioContext,
  stack: Stack,
  { rows, hello }: ReadReference,
): Promise<Kinds> {
  const market = await createMarket(stack, ROWS);
  const client = httpClient(stack.baseUrl, market.credentials);
  const traded = await trade(stack, market);
  const { salesChannelId } = await client.ok<{ salesChannelId: string }>('GET', BINDING);
  const keys = await insertApiKeys(stack, salesChannelId, options.keys);
  log(`${keys.length} keys inserted into the databases`);
  const port = Number(new URL(stack.baseUrl).port);
  const authorization = basicAuthorization(market.credentials);
  return {
    row: rows,
    hello: [hello],
    poll: traded.map(({ path }) => ({ port, path, authorization })),
    transaction: traded.map(({ transactionId }) => ({
      port,
      path: `/saleschannel-services/v1/transactions/${transactionId}`,
      authorization,
    })),
    binding: [{ port, path: BINDING, authorization }],
    keys: keys.map((each, index) => ({ port, path: String(traded[index % ROWS]?.path), authorization: each })),
  };
}

interface TradeIds {
  readonly path: string;
  readonly transactionId: string;
}

/** Executes trades. Returns their tasks and transactions. */
async function trade(stack: Stack, market: Market): Promise<TradeIds[]> {
  const pool = new Pool(stack.baseUrl, { connections: TRADES_AT_ONCE });
  const seller = new Seller(pool, market);
  const client = httpClient(stack.baseUrl, market.credentials);
  const traded: TradeIds[] = [];
  let left = ROWS;
  const tradeOn = async (): Promise<void> => {
    while (left-- > 0) {
      const path = seller.taskPath((await seller.sell()) ?? 'refused');
      traded.push({ path, transactionId: await untilTraded(client, path) });
    }
  };
  try {
    await Promise.all(Array.from({ length: TRADES_AT_ONCE }, tradeOn));
    return traded;
  } finally {
    await pool.close();
  }
}

async function untilTraded(client: HttpClient, path: string): Promise<string> {
  for (;;) {
    const task = await client.ok<{ status: string; responsePayload: { id?: string } }>('GET', path);
    const { id } = task.responsePayload;
    if (task.status === 'SUCCESS' && id !== undefined) return id;
    if (task.status !== 'PENDING') throw new Error(`${path} is ${task.status}.`);
    await delay(TASK_POLL_MS);
  }
}

const kindsInTurn = ['row', 'poll', 'keys', 'transaction', 'binding', 'hello'] as const;

async function alternate(
  { options, log }: ScenarioContext,
  stack: Stack,
  { pid }: ReadReference,
  kinds: Kinds,
): Promise<readonly Round[]> {
  const measure = async (of: readonly Read[], seconds: number): Promise<Measured> => {
    const referenceBefore = readCpu(pid);
    const started = performance.now();
    const { result, cpu } = await measureCpu(stack, () => runReads(of, { connections: CONNECTIONS, seconds }));
    const reference = (readCpu(pid) - referenceBefore) / result;
    return {
      perSecond: (result * 1_000) / (performance.now() - started),
      cpu: { ...cpuPerOperation(cpu, result), reference },
    };
  };
  log('warming up');
  for (const kind of kindsInTurn) await measure(kinds[kind], WARM_UP_SECONDS);
  await warmUpKeys(kinds.keys);
  const rounds: Round[] = [];
  for (let number = 1; number <= options.rounds; number++) {
    const round: Partial<Record<keyof Kinds, Measured>> = {};
    for (const kind of kindsInTurn) round[kind] = await measure(kinds[kind], options.seconds);
    rounds.push(round as Round);
    const summary = kindsInTurn.map((kind) => `${kind} ${round[kind]?.perSecond.toFixed(0)}/s`);
    log(`round ${number}: ${summary.join(', ')}`);
  }
  return rounds;
}

/** Reads twice, with a pause until keys count as unchanged, so that a slow machine does not measure first logins. */
async function warmUpKeys(keys: readonly Read[]): Promise<void> {
  const until = performance.now() + WARM_UP_KEYS_SECONDS * 1_000;
  for (let left = 2 * keys.length; left > 0 || performance.now() < until;)
    left -= await runReads(keys, { connections: CONNECTIONS, seconds: WARM_UP_SECONDS });
}

function toFigures(rounds: readonly Round[]): Figure[] {
  const figure = createFigures(rounds);
  const ratio = (of: keyof Kinds, by: keyof Kinds) => (round: Round) => round[of].perSecond / round[by].perSecond;
  const [first] = rounds;
  const system = ['poll', 'keys', 'transaction', 'binding'] as const;
  return [
    figure('poll ÷ one process and a row', '', ratio('poll', 'row'), { atLeast: 0.5 }),
    figure('transaction ÷ one process and a row', '', ratio('transaction', 'row'), { atLeast: 0.5 }),
    figure('binding ÷ one process and a row', '', ratio('binding', 'row'), { atLeast: 0.5 }),
    figure('poll, keys in turn ÷ one key', '', ratio('keys', 'poll'), { atLeast: 0.8 }),
    figure('poll ÷ Express hello', '', ratio('poll', 'hello')),
    ...kindsInTurn.map((kind) => figure(`${kind}: rate`, '/s', (round) => round[kind].perSecond)),
    ...system.map((kind) =>
      figure(`${kind}: CPU of the system per read`, 'µs', (round) => sumSystemCpu(withoutReference(round[kind].cpu))),
    ),
    ...system.flatMap((kind) =>
      Object.keys(withoutReference(first?.[kind].cpu ?? {}))
        .filter((name) => rounds.some((round) => (round[kind].cpu[name] ?? 0) >= TOLD_MICROSECONDS))
        .map((name) => figure(`${kind}: CPU of ${name} per read`, 'µs', (round) => round[kind].cpu[name] ?? 0)),
    ),
    figure('row: CPU of the reference per read', 'µs', ({ row }) => row.cpu['reference'] ?? 0),
  ];
}

const withoutReference = ({ reference: _reference, ...system }: CpuTimes): CpuTimes => system;
