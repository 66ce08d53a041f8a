import { randomUUID } from 'node:crypto';
import type { Client } from 'pg';
import { httpClient, type Stack } from '@saleschannel/local';
import { basicAuthorization, createMarket, type Market } from '../load/markets.ts';
import { createReader, type Read, type Reader } from '../load/reader.ts';
import {
  readCpu,
  measureResident,
  measureCpu,
  cpuPerOperation,
  sumSystemCpu,
  type CpuTimes,
} from '../measure/processes.ts';
import { withConnection, buildServiceUrl } from '../measure/database.ts';
import {
  BUNDLE_SIZE,
  expirationDate,
  issuanceId,
  startInventoryReference,
  type InventoryReference,
  type IssuanceFacts,
} from '../reference/inventory.ts';
import { createFigures, type ScenarioContext, type Figure, type Scenario } from '../scenario.ts';
import { UNLIMITED } from './settle.ts';

const AT_ONCE = 4;
const CONNECTIONS = 8;
const UNCHANGED_AT_ONCE = 8;
const SMALL = 10_000;
const MIB = 1024 * 1024;

/** Inventories to compare with the reference. In the last, every bundle is of another issuance. */
const shapes = [
  { bundles: 1_000, bundlesPerIssuance: 10 },
  { bundles: SMALL, bundlesPerIssuance: 10 },
  { bundles: 100_000, bundlesPerIssuance: 10 },
  { bundles: SMALL, bundlesPerIssuance: 1 },
] as const;

interface FilledInventory {
  readonly name: string;
  readonly ownerId: string;
  readonly bundles: number;
  readonly bundlesPerIssuance: number;
}

const formatName = ({ bundles, bundlesPerIssuance }: (typeof shapes)[number]): string =>
  `${bundles.toLocaleString('en')} bundles${bundlesPerIssuance === 1 ? ', each of another issuance' : ''}`;

export const inventory: Scenario = {
  name: 'inventory',
  describe: 'reads of an inventory ÷ one process that reads the same rows with pg and serves them by node:http',
  run: (bench) =>
    bench.withStack({ variables: UNLIMITED }, async (stack) => {
      const market = await createMarket(stack, 1);
      const inventories: FilledInventory[] = [];
      for (const shape of shapes) {
        inventories.push({ ...shape, name: formatName(shape), ownerId: await createTrader(stack, market) });
      }
      const large = { bundles: bench.options.bundles, bundlesPerIssuance: 10 };
      const longest: FilledInventory = { ...large, name: 'the longest', ownerId: await createTrader(stack, market) };
      bench.log('creating the bundles by SQL without the ledger; the audit runs after their removal');
      const url = buildServiceUrl(stack, 'inventory');
      const facts = await withConnection(url, (client) => fill(client, market, [...inventories, longest]));
      const reference = await startInventoryReference(stack, facts, inventories);
      try {
        return await measure(bench, stack, market, reference, inventories, longest);
      } finally {
        await reference.stop();
        await withConnection(url, (client) => empty(client, [...inventories, longest]));
      }
    }),
};

/** Creates a trader without certificates in the market's channel. */
async function createTrader({ baseUrl }: Stack, { credentials }: Market): Promise<string> {
  const body = { name: 'Bench holder of much', businessId: `MUCH-${randomUUID()}`, address: {} };
  const headers = { 'idempotency-key': randomUUID() };
  const channel = httpClient(baseUrl, credentials);
  return (await channel.ok<{ id: string }>('POST', '/saleschannel-services/v1/traders', body, headers)).id;
}

/** Creates issuances like the market's only one, and bundles of them. Returns the fields that all share. */
async function fill(client: Client, { issuances }: Market, all: readonly FilledInventory[]): Promise<IssuanceFacts> {
  const model = issuances[0]?.issuanceId;
  await client.query('set session_replication_role = replica');
  for (const { ownerId, bundles, bundlesPerIssuance } of all) {
    const count = bundles / bundlesPerIssuance;
    await client.query(
      `insert into issuance (
         id, facility_id, facility_code, country_code, supplier_id, standard, registry, credit_type, credit_type_id,
         methodology_code, vintage, production_start, production_end, issuing_date, expiration_date, first_serial,
         last_serial, serial_width, account_holder_id, sales_channel_id, trader_id
       )
       select ${issuanceId}, facility_id, facility_code, country_code, supplier_id, standard, registry, credit_type,
         credit_type_id, methodology_code, vintage, production_start, production_end, issuing_date, ${expirationDate},
         1, $3::int * ${BUNDLE_SIZE}, 0, account_holder_id, sales_channel_id, $1
       from issuance, generate_series(1, $4::int) n where id = $2`,
      [ownerId, model, bundlesPerIssuance, count],
    );
    await client.query(
      `insert into bundle (issuance_id, previous_last, last, state, owner_id, sales_channel_id)
       select ${issuanceId}, (part - 1) * ${BUNDLE_SIZE}, part * ${BUNDLE_SIZE}, 'LISTABLE', $1,
         (select sales_channel_id from issuance where id = $2)
       from generate_series(1, $4::int) n, generate_series(1, $3::int) part`,
      [ownerId, model, bundlesPerIssuance, count],
    );
  }
  await client.query('vacuum analyze issuance');
  await client.query('vacuum analyze bundle');
  const { rows } = await client.query<IssuanceFacts>(
    `select facility_id as "facilityId", facility_code as "facilityCode", country_code as "countryCode",
       supplier_id as "supplierId", methodology_code as "methodologyCode", issuing_date::text as "issuingDate",
       credit_type as "creditType", credit_type_id as "creditTypeId", standard, registry,
       production_start::text as "productionStart", production_end::text as "productionEnd", vintage
     from issuance where id = $1`,
    [model],
  );
  const [facts] = rows;
  if (!facts) throw new Error('The market has no issuance.');
  return facts;
}

async function empty(client: Client, all: readonly FilledInventory[]): Promise<void> {
  const owners = all.map(({ ownerId }) => ownerId);
  await client.query('set session_replication_role = replica');
  await client.query('delete from bundle where owner_id = any($1::text[])', [owners]);
  await client.query('delete from issuance where trader_id = any($1::text[])', [owners]);
}

/** One inventory in one round. */
interface InventoryRound {
  readonly reference: number;
  readonly system: number;
  readonly unchanged: number;
  /** CPU microseconds per bundle. */
  readonly cpu: CpuTimes;
  readonly referenceCpu: number;
}

interface Sides {
  readonly system: Reader;
  readonly bare: Reader;
  readonly authorization: string;
}

const toRead = ({ authorization }: Sides, { ownerId }: FilledInventory, etag?: string): Read => ({
  path: `/saleschannel-services/v1/traders/${ownerId}/inventory`,
  headers: { authorization, ...(etag === undefined ? {} : { 'if-none-match': etag }) },
});

async function measure(
  bench: ScenarioContext,
  stack: Stack,
  { credentials }: Market,
  reference: InventoryReference,
  inventories: readonly FilledInventory[],
  longest: FilledInventory,
): Promise<Figure[]> {
  const authorization = basicAuthorization(credentials);
  const system = createReader(stack.baseUrl, CONNECTIONS);
  const bare = createReader(reference.address, CONNECTIONS);
  const sides: Sides = { system, bare, authorization };
  try {
    const turns = new Map<FilledInventory, InventoryRound[]>(inventories.map((each) => [each, []]));
    const etags = new Map<FilledInventory, string>();
    for (const each of inventories) etags.set(each, await alike(sides, each));
    for (let round = 1; round <= bench.options.rounds; round++) {
      for (const each of inventories) {
        const turn = await take(bench, stack, sides, reference, each, etags.get(each));
        turns.get(each)?.push(turn);
        bench.log(
          `round ${round}, ${each.name}: ${turn.system.toFixed(1)}/s against ${turn.reference.toFixed(1)}/s, ` +
            `unchanged ${turn.unchanged.toFixed(0)}/s`,
        );
      }
    }
    const memory = await measureMemory(bench, stack, sides, inventories, longest);
    return [...[...turns].flatMap(([each, taken]) => toFigures(each, taken)), ...memory];
  } finally {
    await system.close();
    await bare.close();
  }
}

/** Checks that both sides answer with the same bytes. Returns the entity tag. @throws Error if they differ */
async function alike(sides: Sides, each: FilledInventory): Promise<string> {
  const ours = await sides.system.once(toRead(sides, each));
  const theirs = await sides.bare.once({ path: `/${each.ownerId}` });
  if (ours.status !== 200 || ours.digest !== theirs.digest)
    throw new Error(`${each.name}: the reference differs (${ours.bytes} and ${theirs.bytes} bytes).`);
  if (ours.etag === undefined) throw new Error('An inventory has no entity tag.');
  return ours.etag;
}

async function take(
  { options: { seconds } }: ScenarioContext,
  stack: Stack,
  sides: Sides,
  { pid }: InventoryReference,
  each: FilledInventory,
  etag: string | undefined,
): Promise<InventoryRound> {
  const before = readCpu(pid);
  const theirs = await measureCpu(stack, () => sides.bare.during({ path: `/${each.ownerId}` }, seconds, AT_ONCE, 200));
  const bare = readCpu(pid) - before + (theirs.cpu['postgresql'] ?? 0);
  const ours = await measureCpu(stack, () => sides.system.during(toRead(sides, each), seconds, AT_ONCE, 200));
  const unchanged = await sides.system.during(toRead(sides, each, etag), seconds, UNCHANGED_AT_ONCE, 304);
  return {
    reference: theirs.result.perSecond,
    system: ours.result.perSecond,
    unchanged: unchanged.perSecond,
    cpu: cpuPerOperation(ours.cpu, ours.result.reads * each.bundles),
    referenceCpu: bare / (theirs.result.reads * each.bundles),
  };
}

const watched = ['gateway', 'inventory'] as const;

/** Memory for one long list, compared with short lists of the same total size. */
async function measureMemory(
  { options, log }: ScenarioContext,
  { processes }: Stack,
  sides: Sides,
  inventories: readonly FilledInventory[],
  longest: FilledInventory,
): Promise<Figure[]> {
  const pids = watched.map((name) => processes.find((each) => each.name === name)?.pid ?? 0);
  const small = inventories.find(({ bundles }) => bundles === SMALL);
  if (!small) throw new Error('There must be a small inventory.');
  const rounds: { readonly small: number[]; readonly large: number[] }[] = [];
  for (let round = 1; round <= options.rounds; round++) {
    const most = {
      small: await measureResident(pids, async () => {
        for (let sent = 0; sent < longest.bundles; sent += SMALL) await sides.system.once(toRead(sides, small));
      }),
      large: await measureResident(pids, async () => {
        const { status } = await sides.system.once(toRead(sides, longest));
        if (status !== 200) throw new Error(`The longest inventory was answered ${status}.`);
      }),
    };
    rounds.push(most);
    log(`round ${round}, memory: ${most.large.map((bytes) => (bytes / MIB).toFixed(0)).join(', ')} MiB`);
  }
  const figure = createFigures(rounds);
  const size = `${longest.bundles.toLocaleString('en')} bundles`;
  return watched.flatMap((name, index) => [
    figure(
      `memory of ${name}, ${size} ÷ ${SMALL.toLocaleString('en')} again and again`,
      '',
      ({ small: least, large }) => (large[index] ?? 0) / (least[index] ?? 1),
      { atMost: 1.2 },
    ),
    figure(`memory of ${name}, ${size}`, 'MiB', ({ large }) => (large[index] ?? 0) / MIB),
  ]);
}

function toFigures({ name }: FilledInventory, turns: readonly InventoryRound[]): Figure[] {
  const figure = createFigures(turns);
  return [
    figure(`rate ÷ rate of the reference, ${name}`, '', ({ system, reference }) => system / reference, {
      atLeast: 0.9,
    }),
    figure(`rate of 304 ÷ rate of the reference, ${name}`, '', ({ unchanged, reference }) => unchanged / reference, {
      atLeast: 10,
    }),
    figure(`rate of 304 ÷ rate of 200, ${name}`, '', ({ unchanged, system }) => unchanged / system),
    figure(`CPU ÷ CPU of the reference, ${name}`, '', ({ cpu, referenceCpu }) => sumSystemCpu(cpu) / referenceCpu),
    figure(`reads of the reference, ${name}`, '/s', ({ reference }) => reference),
    figure(`reads, ${name}`, '/s', ({ system }) => system),
    figure(`reads unchanged, ${name}`, '/s', ({ unchanged }) => unchanged),
    ...['inventory', 'gateway', 'postgresql', 'load'].map((process) =>
      figure(`CPU of ${process} per bundle, ${name}`, 'µs', ({ cpu }) => cpu[process] ?? 0),
    ),
  ];
}
