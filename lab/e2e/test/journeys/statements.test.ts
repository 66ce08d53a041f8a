import { expect, test } from '@jest/globals';
import { testCoverage } from '../support/coverage.ts';
import { useSystem } from '../support/system.ts';
import {
  buyer,
  waitForEnd,
  inventoryPath,
  issue,
  withIdempotencyKey,
  operator,
  retirementBody,
  seller,
  v1,
  type Task,
} from '../support/api.ts';

/** From a volume to a plan, to a retirement, and to its public statement. */

const system = useSystem();

interface Range {
  readonly start: string;
  readonly end: string;
}
interface Plan {
  readonly volume: number;
  readonly selections: readonly (Range & { bundle: Range; remainder: Range | null })[];
  readonly faults: readonly { pointer: string; code: string }[];
}
interface Detail {
  readonly lineage: readonly (Range & { bundle: Range; after: Range | null })[];
  readonly statement: { readonly id: string } | null;
  readonly taskId: string;
  readonly requestedBy: unknown;
}

test('the retirement equals its plan, and its link shows the statement', async () => {
  const [channel] = system().channels;
  const client = system().createClient(operator(channel));
  const anybody = system().createClient('nobody');
  const trader = seller(channel).id;
  const { at, issuanceId } = await issue(system(), channel);
  const filter = { issuanceId: { eq: issuanceId } };
  const inventory = `${v1}/traders/${trader}/inventory`;
  expect(await client.ok('GET', `${inventory}/summary`, { query: { $filter: JSON.stringify(filter) } })).toMatchObject({
    bundles: 1,
    volume: 100,
  });

  const planRequest = { type: 'RETIREMENT', volume: 40, order: 'OLDEST', filter };
  const plan = await client.ok<Plan>('POST', `${inventory}/plan`, { body: planRequest });
  expect(plan).toMatchObject({ volume: 40, faults: [] });
  const tooMuch = await client.ok<Plan>('POST', `${inventory}/plan`, { body: { ...planRequest, volume: 101 } });
  expect(tooMuch).toMatchObject({ selections: [], faults: [{ pointer: '#/volume', code: 'volume-unavailable' }] });

  const assets = plan.selections.map(({ start, end }) => ({ start, end }));
  const statement = { publication: 'PUBLIC', beneficiaryHiddenUntil: '2999-01-01T00:00:00Z' };
  const path = inventoryPath(trader, 'retire');
  const refused = await client.send('POST', path, {
    body: { ...retirementBody(assets), statement },
    headers: withIdempotencyKey(),
  });
  expect(refused).toMatchObject({
    status: 400,
    body: { errors: [{ pointer: '#/statement/beneficiaryHiddenUntil', code: 'embargo-too-long' }] },
  });
  const started = await client.send<Task>('POST', path, {
    body: { ...retirementBody(assets), statement: { publication: 'LINK' } },
    headers: withIdempotencyKey(),
  });
  const { taskId, responsePayload } = await waitForEnd(client, String(started.headers['location']));
  const transactionId = responsePayload.id ?? 'none';
  const detail = await client.ok<Detail>('GET', `${v1}/transactions/${transactionId}/detail`);
  expect(detail.lineage.map(({ start, end, bundle, after }) => ({ start, end, bundle, after }))).toEqual(
    plan.selections.map(({ start, end, bundle, remainder }) => ({ start, end, bundle, after: remainder })),
  );
  expect(detail).toMatchObject({ taskId, requestedBy: { userId: operator(channel).userId } });

  const id = detail.statement?.id ?? 'none';
  const read = (of: string) => anybody.send<Record<string, unknown>>('GET', `/public/v1/statements/${of}`);
  expect(await read(id)).toMatchObject({ status: 200, body: { id, volume: 40, transactionId: null } });
  expect(await read(transactionId)).toMatchObject({ status: 404 });
  await client.ok('PATCH', `${v1}/transactions/${transactionId}/statement`, { body: { publication: 'PUBLIC' } });
  expect((await read(transactionId)).body).toEqual((await read(id)).body);
  expect(await anybody.ok('GET', '/public/v1/statements')).toMatchObject([{ id, transactionId }]);
  expect(await anybody.ok('GET', `/public/v1/certificates/${at(40)}`)).toMatchObject({
    status: 'RETIRED',
    statementId: id,
  });
  expect(await anybody.ok('GET', '/.well-known/statement-keys.json')).toMatchObject({ keys: [{ kty: 'OKP' }] });
  const sums = await client.ok('GET', `${v1}/transactions/summary`, { query: { groupBy: 'vintage' } });
  expect(sums).toContainEqual(expect.objectContaining({ type: 'RETIREMENT', transactions: 1, volume: 40 }));
});

test('a public statement is found by its beneficiary only after the embargo', async () => {
  const [channel] = system().channels;
  const client = system().createClient(operator(channel));
  const anybody = system().createClient('nobody');
  const { at } = await issue(system(), channel);
  const body = retirementBody([{ start: at(1), end: at(5) }]);
  const beneficiaryName = `Nørdlys Ferries ${at(1)}`;
  const until = new Date(Date.now() + 86_400_000).toISOString();
  const started = await client.send<Task>('POST', inventoryPath(seller(channel).id, 'retire'), {
    body: { ...body, beneficiaryName, statement: { publication: 'PUBLIC', beneficiaryHiddenUntil: until } },
    headers: withIdempotencyKey(),
  });
  const { responsePayload } = await waitForEnd(client, String(started.headers['location']));
  const found = (part: string) =>
    anybody.ok('GET', '/public/v1/statements', { query: { '$filter[beneficiaryName][contains]': part } });
  const parts = [beneficiaryName, `LYS FÉRRIES ${at(1)}`];
  for (const part of parts) expect(await found(part)).toEqual([]);
  await client.ok('PATCH', `${v1}/transactions/${responsePayload.id}/statement`, {
    body: { beneficiaryHiddenUntil: null },
  });
  for (const part of parts) expect(await found(part)).toMatchObject([{ beneficiaryName }]);
});

test('a trader of another channel cannot be planned for', async () => {
  const [mine, theirs] = system().channels;
  const client = system().createClient(operator(mine));
  const body = { type: 'OFFRAMP', volume: 1, order: 'OLDEST' };
  for (const { id } of [seller(theirs), buyer(theirs)])
    expect(await client.send('POST', `${v1}/traders/${id}/inventory/plan`, { body })).toMatchObject({ status: 404 });
});

testCoverage('statements');
