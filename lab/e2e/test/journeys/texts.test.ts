import { randomUUID } from 'node:crypto';
import { expect, test, describe } from '@jest/globals';
import type { Client } from '../../src/client.ts';
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
  runTransfer,
  v1,
  type Issue,
  type TransferKind,
  type Task,
  accountHolderBody,
  newKey,
} from '../support/api.ts';

const system = useSystem();

/** Names and texts are trimmed, composed and not blank. */

const DECOMPOSED = ' A\u030angstro\u0308m AS\u200b ';
const COMPOSED = 'Ångström AS';
const blankAt = (pointer: string) => ({
  status: 400,
  body: { type: '/problems/invalid-request', errors: [{ pointer, code: 'blank' }] },
});

describe.each([' ', '\ufeff', '\u200b'])('a text of %j', (text) => {
  test('is rejected in every displayed member, which the error names', async () => {
    const { registry, channels } = system();
    const [channel] = channels;
    const client = system().createClient(operator(channel));
    const trader = { businessId: newKey(), name: 'Blank AS', address: {} };
    const create = (fields: object) =>
      client.send('POST', `${v1}/traders`, { body: { ...trader, ...fields }, headers: withIdempotencyKey() });
    expect(await create({ name: text })).toMatchObject(blankAt('#/name'));
    expect(await create({ businessId: text })).toMatchObject(blankAt('#/businessId'));
    expect(await create({ address: { city: text } })).toMatchObject(blankAt('#/address/city'));
    const { id } = seller(channel);
    expect(await client.send('PATCH', `${v1}/traders/${id}`, { body: { name: text } })).toMatchObject(
      blankAt('#/name'),
    );

    const certificate = `${randomUUID()}_1`;
    const assets = [{ start: certificate, end: certificate }];
    const retire = (fields: object) =>
      client.send('POST', inventoryPath(id, 'retire'), {
        body: { ...retirementBody(assets), ...fields },
        headers: withIdempotencyKey(),
      });
    for (const member of ['beneficiaryName', 'beneficiaryLocation', 'retirementPurpose', 'externalReference'])
      expect(await retire({ [member]: text })).toMatchObject(blankAt(`#/${member}`));

    const hook = { url: 'https://hooks.example/in', description: text };
    expect(await client.send('POST', `${v1}/webhook-endpoints`, { body: hook })).toMatchObject(
      blankAt('#/description'),
    );

    const holders = '/Registry/api/account-holders';
    for (const member of ['name', 'businessId'])
      expect(await registry.send('POST', holders, { body: accountHolderBody({ [member]: text }) })).toMatchObject(
        blankAt(`#/${member}`),
      );
    const facility = { name: text, country: 'NO', methodologyCodes: ['m'], supplier: text };
    expect(await registry.send('PUT', '/Registry/api/production-facilities/BLANK1', { body: facility })).toMatchObject({
      status: 400,
      body: {
        errors: [
          { pointer: '#/name', code: 'blank' },
          { pointer: '#/supplier', code: 'blank' },
        ],
      },
    });
  });
});

test('texts are returned trimmed and composed, and other notations of a request count as repeats', async () => {
  const client = system().createClient(operator(system().channels[0]));
  const headers = withIdempotencyKey();
  const body = { businessId: newKey(), name: DECOMPOSED, address: { city: DECOMPOSED } };
  const created = await client.send<{ id: string }>('POST', `${v1}/traders`, { body, headers });
  expect(created).toMatchObject({ status: 201, body: { name: COMPOSED } });
  expect(await client.ok('GET', `${v1}/traders/${created.body.id}`)).toMatchObject({ address: { city: COMPOSED } });
  const again = { ...body, name: COMPOSED, address: { city: COMPOSED } };
  expect(await client.send('POST', `${v1}/traders`, { body: again, headers })).toMatchObject({
    status: 201,
    body: created.body,
    headers: { 'idempotency-replayed': 'true' },
  });
});

test('other notations of a business id and name denote the same account holder', async () => {
  const { registry } = system();
  const id = newKey();
  const path = '/Registry/api/account-holders';
  const first = await registry.send('POST', path, {
    body: accountHolderBody({ businessId: `Å${id}`, name: COMPOSED }),
  });
  const second = await registry.send('POST', path, {
    body: accountHolderBody({ businessId: ` A\u030a${id}\u200d`, name: DECOMPOSED }),
  });
  expect([first.status, second.status]).toEqual([201, 200]);
  expect(second.body).toEqual(first.body);
});

/** References and metadata of transfers, from the request to the ledger. */

type Detail = Record<string, unknown>;

const used = {
  status: 400,
  body: {
    type: '/problems/request-refused',
    errors: [{ pointer: '#/externalReference', code: 'external-reference-used', detail: expect.any(String) }],
  },
};

const getDetail = (client: Client, { responsePayload: { id } }: Task): Promise<Detail> =>
  client.ok<Detail>('GET', `${v1}/transactions/${id}/detail`);
const listIds = async (client: Client, list: string, query: Record<string, string>): Promise<unknown[]> =>
  (await client.ok<Detail[]>('GET', `${v1}/${list}`, { query })).map(({ id, taskId }) => id ?? taskId);

/** A valid body of each type, for one certificate of each of these serials. */
const createBodies = ({ range }: Issue, buyerId: string, [a, b, c]: readonly number[] = [1, 2, 3]) => {
  const one = (serial = 1) => range(serial, serial);
  return [
    ['trade', { buyerId, currency: 'EUR', assets: [{ ...one(a), unitPrice: 1 }] }],
    ['retire', retirementBody([one(b)])],
    ['offramp', { assets: [one(c)] }],
  ] as const satisfies readonly (readonly [TransferKind, object])[];
};

test('they are stored, shown in details, filtered in lists, and invisible to other channels', async () => {
  const [mine, theirs] = system().channels;
  const client = system().createClient(operator(mine));
  const them = system().createClient(operator(theirs));
  const project = randomUUID();
  const notes = (kind: string) => ({
    externalReference: `${project} "${kind}" Ω🌲`,
    metadata: { project, kind, 'cost.centre': '7100' },
  });
  const tasks: Task[] = [];
  for (const [kind, body] of createBodies(await issue(system(), mine), buyer(mine).id)) {
    const task = await runTransfer(client, seller(mine).id, kind, { ...body, ...notes(kind) });
    expect(task.status).toBe('SUCCESS');
    expect(await getDetail(client, task)).toMatchObject(notes(kind));
    const { externalReference } = notes(kind);
    const byReference = { '$filter[externalReference][eq]': externalReference };
    expect(await listIds(client, 'transactions', byReference)).toEqual([task.responsePayload.id]);
    const [listed] = await client.ok<Detail[]>('GET', `${v1}/tasks`, { query: byReference });
    expect(listed).toMatchObject({ taskId: task.taskId, externalReference });
    expect(await listIds(client, 'tasks', { $filter: JSON.stringify({ metadata: { kind: { eq: kind } } }) })).toContain(
      task.taskId,
    );
    for (const list of ['transactions', 'tasks']) expect(await listIds(them, list, byReference)).toEqual([]);
    tasks.push(task);
  }
  const byProject = { '$filter[metadata][project][eq]': project };
  expect(await listIds(client, 'transactions', byProject)).toEqual(tasks.map(({ responsePayload: { id } }) => id));
  expect(await listIds(client, 'tasks', byProject)).toEqual(tasks.map(({ taskId }) => taskId).toReversed());
  expect(await listIds(client, 'transactions', { ...byProject, '$filter[type][eq]': 'TRADE', $limit: '5' })).toEqual([
    tasks[0]?.responsePayload.id,
  ]);
  for (const list of ['transactions', 'tasks']) expect(await listIds(them, list, byProject)).toEqual([]);
  const summary = await client.ok('GET', `${v1}/transactions/summary`, { query: { groupBy: 'vintage', ...byProject } });
  expect(summary).toMatchObject(
    ['OFFRAMP', 'RETIREMENT', 'TRADE'].map((type) => ({ type, transactions: 1, volume: 1 })),
  );
  const csv = await client.send('GET', `${v1}/tasks`, { query: byProject, headers: { accept: 'text/csv' } });
  expect(csv.text.split('\r\n')[0]?.split(',').at(-1)).toBe('externalReference');
  expect(csv.text).toContain(`"${project} ""trade"" Ω🌲"\r\n`);
});

test('a transfer without them reports that there are none', async () => {
  const [channel] = system().channels;
  const client = system().createClient(operator(channel));
  const [[kind, body] = ['trade' as const, {}]] = createBodies(await issue(system(), channel), buyer(channel).id);
  for (const none of [{ externalReference: null, metadata: null }, { metadata: {} }]) {
    const { range } = await issue(system(), channel);
    const task = await runTransfer(client, seller(channel).id, 'retire', { ...retirementBody([range(1, 1)]), ...none });
    expect(Object.keys(task).toSorted()).toEqual(
      ['idempotencyKey', 'message', 'responsePayload', 'status', 'taskId'].toSorted(),
    );
    expect(await getDetail(client, task)).toMatchObject({ externalReference: null, metadata: {} });
  }
  // Leaving them out equals sending null.
  const headers = withIdempotencyKey();
  const path = inventoryPath(seller(channel).id, kind);
  const first = await client.ok<Task>('POST', path, { body, headers });
  const nulls = { ...body, externalReference: null, metadata: {} };
  expect(await client.send('POST', path, { body: nulls, headers })).toMatchObject({
    status: 201,
    body: { taskId: first.taskId },
    headers: { 'idempotency-replayed': 'true' },
  });
});

test('a reference is unique in its channel, also under concurrent requests', async () => {
  const [mine, theirs] = system().channels;
  const client = system().createClient(operator(mine));
  const externalReference = randomUUID();
  const issues = await Promise.all(Array.from({ length: 12 }, () => issue(system(), mine)));
  const starts = issues.flatMap((each, index) => {
    const [kind, body] = createBodies(each, buyer(mine).id, [1, 1, 1])[index % 3] ?? [];
    return kind && body ? [{ kind, body: { ...body, externalReference }, headers: withIdempotencyKey() }] : [];
  });
  const answers = await Promise.all(
    starts.map(({ kind, body, headers }) =>
      client.send<Task>('POST', inventoryPath(seller(mine).id, kind), { body, headers }),
    ),
  );
  const winner = answers.findIndex(({ status }) => status === 201);
  const [won, start] = [answers[winner], starts[winner]];
  for (const [index, answer] of answers.entries()) if (index !== winner) expect(answer).toMatchObject(used);
  const ended = await waitForEnd(client, String(won?.headers['location']));
  expect(ended.status).toBe('SUCCESS');
  for (const answer of answers) if (answer !== won) expect(answer.text).not.toContain(ended.taskId);
  // Repeating the request returns its task. A different request with its key is rejected.
  const path = inventoryPath(seller(mine).id, start?.kind ?? 'trade');
  const again = await client.send<Task>('POST', path, { body: start?.body, headers: start?.headers ?? {} });
  expect(again).toMatchObject({
    status: 201,
    body: { taskId: ended.taskId },
    headers: { 'idempotency-replayed': 'true' },
  });
  const other = { ...start?.body, externalReference: randomUUID() };
  expect(await client.send('POST', path, { body: other, headers: start?.headers ?? {} })).toMatchObject({
    status: 400,
    body: { type: '/problems/idempotency-key-reused' },
  });
  const { range } = await issue(system(), theirs);
  const elsewhere = await runTransfer(system().createClient(operator(theirs)), seller(theirs).id, 'offramp', {
    assets: [range(1, 1)],
    externalReference,
  });
  expect(elsewhere.status).toBe('SUCCESS');
});
