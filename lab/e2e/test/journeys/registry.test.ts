import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { eventually } from '@saleschannel/testing';
import { accountHolderBody, issuanceBody, newKey, type Page } from '../support/api.ts';
import { testCoverage } from '../support/coverage.ts';
import { useOwnSystem } from '../support/system.ts';

interface Import {
  importId: string;
  status: string;
  linesRead: number;
  linesApplied: number;
  linesFailed: number;
}

const api = '/Registry/api';

/** The registry import API. */

const system = useOwnSystem();

async function everything<T>(path: string): Promise<T[]> {
  const found: T[] = [];
  for (;;) {
    const page = await system().registry.ok<Page<T>>('GET', `${api}/${path}`, {
      query: { limit: '7', offset: String(found.length) },
    });
    found.push(...page.data);
    if (found.length >= page.pagination.total) return found;
    expect(page.data).toHaveLength(7);
  }
}

const endOfImport = (importId: string): Promise<Import> =>
  eventually(async () => {
    const state = await system().registry.ok<Import>('GET', `${api}/imports/${importId}`);
    return (state.status === 'COMPLETED' || state.status === 'FAILED') && state;
  }, 'the end of the import');

const sendFile = (contentType: string, body: string, query?: Record<string, string>) =>
  system().registry.send<Import>('POST', `${api}/imports`, {
    body,
    headers: { 'content-type': contentType },
    ...(query ? { query } : {}),
  });

test('account holders are registered once per business id, read, listed and changed', async () => {
  const { registry } = system();
  const body = accountHolderBody();
  const created = await registry.send<{ accountHolderId: string }>('POST', `${api}/account-holders`, { body });
  const path = `${api}/account-holders/${created.body.accountHolderId}`;
  expect(created).toMatchObject({
    status: 201,
    headers: { location: path },
    body: { ...body, autoApproval: true, address: { ...body.address, street2: null } },
  });
  expect(
    await registry.send('POST', `${api}/account-holders`, { body: { ...body, autoApproval: null } }),
  ).toMatchObject({
    status: 200,
    body: created.body,
    headers: { location: path },
  });
  expect((await registry.send('POST', `${api}/account-holders`, { body: { ...body, name: 'Another' } })).status).toBe(
    400,
  );
  expect(await registry.ok('GET', path)).toEqual(created.body);
  const changed = await registry.ok('PATCH', path, {
    body: { autoApproval: false, address: { street2: 'Floor 3' } },
    headers: { 'content-type': 'application/merge-patch+json' },
  });
  expect(changed).toMatchObject({
    autoApproval: false,
    name: body.name,
    address: { ...body.address, street2: 'Floor 3' },
  });
  expect(
    (await everything<{ accountHolderId: string }>('account-holders')).filter(
      (each) => each.accountHolderId === created.body.accountHolderId,
    ),
  ).toEqual([changed]);
});

test('facilities are created and replaced', async () => {
  const { registry } = system();
  const code = newKey()
    .replaceAll(/[^A-Za-z0-9]/g, '')
    .slice(-6);
  const body = {
    name: 'Östgöta Bio-CCS',
    country: 'SE',
    methodologyCodes: ['BIO-CCS-1'],
    supplier: 'Östgöta Bio',
    gsrn: '00123',
    creditingPeriod: null,
  };
  const created = await registry.send('PUT', `${api}/production-facilities/${code}`, { body });
  expect(created).toMatchObject({
    status: 201,
    headers: { location: `${api}/production-facilities/${code}` },
    body: { ...body, code },
  });
  const period = { start: '2024-01-01T00:00:00.000Z', end: '2033-12-31T00:00:00.000Z' };
  const changed = await registry.send('PUT', `${api}/production-facilities/${code}`, {
    body: { ...body, creditingPeriod: period },
  });
  expect(changed).toMatchObject({ status: 200, body: { ...created.body, creditingPeriod: period } });
  expect(await registry.ok('GET', `${api}/production-facilities/${code}`)).toEqual(changed.body);
  expect((await everything<{ code: string }>('production-facilities')).find((each) => each.code === code)).toEqual(
    changed.body,
  );
  expect((await registry.send('PUT', `${api}/production-facilities/toolong`, { body })).status).toBe(400);
});

test('an issuance is created once, and appears in certificates, transactions and history', async () => {
  const {
    registry,
    channels: [channel],
  } = system();
  const body = issuanceBody(channel, { salesChannelId: null });
  const created = await registry.send('POST', `${api}/issuances`, { body });
  expect(created).toMatchObject({
    status: 201,
    headers: { location: `${api}/transactions/${body.issuanceId}` },
    body: { ...body, volume: 100, traderId: null },
  });
  expect(await registry.send('POST', `${api}/issuances`, { body })).toMatchObject({
    status: 200,
    body: created.body,
  });
  expect((await registry.send('POST', `${api}/issuances`, { body: { ...body, lastSerial: '101' } })).status).toBe(400);
  const transaction = await registry.ok('GET', `${api}/transactions/${body.issuanceId}`);
  expect(transaction).toMatchObject({
    type: 'ISSUANCE',
    status: 'SUCCESS',
    sellerId: null,
    buyerId: channel.accountHolderId,
  });
  expect(
    (await everything<{ transactionId: string }>('transactions')).filter(
      (each) => each.transactionId === body.issuanceId,
    ),
  ).toEqual([transaction]);
  const certificates = await everything<{ issuanceId: string }>('certificates');
  expect(certificates.filter((each) => each.issuanceId === body.issuanceId)).toEqual([
    expect.objectContaining({
      status: 'HELD',
      ownerType: 'ACCOUNT_HOLDER',
      ownerId: channel.accountHolderId,
      volume: 100,
      salesChannelId: null,
    }),
  ]);
  expect(await registry.ok('GET', `${api}/certificates/${body.issuanceId}_77/history`)).toMatchObject([
    { type: 'ISSUANCE', from: null },
  ]);
  expect((await registry.send('GET', `${api}/certificates/${body.issuanceId}_101/history`)).status).toBe(404);
  const issued = await registry.ok('GET', `${api}/issuances/${body.issuanceId}`);
  const query = { accountHolderId: channel.accountHolderId, vintage: String(body.vintage) };
  const { data } = await registry.ok<Page<{ issuanceId: string }>>('GET', `${api}/issuances`, { query });
  expect(data.find(({ issuanceId }) => issuanceId === body.issuanceId)).toEqual(issued);
  const tooLarge = await registry.send('POST', `${api}/issuances`, {
    body: issuanceBody(channel, { lastSerial: '9007199254740992' }),
  });
  expect(tooLarge).toMatchObject({ status: 400, body: { errors: [{ pointer: '#/lastSerial' }] } });
  const unlisted = await registry.ok<{ accountHolderId: string }>('POST', `${api}/account-holders`, {
    body: accountHolderBody(),
  });
  const refused = issuanceBody({ accountHolderId: unlisted.accountHolderId, salesChannelId: channel.salesChannelId });
  expect((await registry.send('POST', `${api}/issuances`, { body: refused })).status).toBe(400);
});

test('a file is imported line by line, and a second import has no effect', async () => {
  const {
    registry,
    channels: [channel],
  } = system();
  const holder = accountHolderBody();
  const { accountHolderId: _, ...issuance } = issuanceBody(channel, { salesChannelId: null });
  const lines = [
    { type: 'account-holder', ...holder },
    { type: 'issuance', ...issuance, accountHolderBusinessId: holder.businessId },
    { type: 'issuance', ...issuance, issuanceId: randomUUID(), accountHolderBusinessId: 'nobody' },
    {
      type: 'production-facility',
      code: 'IMP001',
      name: 'Imported',
      country: 'NA',
      methodologyCodes: [],
      supplier: 'Savanna Carbon Ltd',
    },
  ];
  const file = [...lines.map((line) => JSON.stringify(line)), '{"type":', ''].join('\n');
  for (const attempt of [1, 2]) {
    const started = await sendFile('application/x-ndjson', file);
    expect(started).toMatchObject({ status: 202, headers: { location: `${api}/imports/${started.body.importId}` } });
    const ended = await endOfImport(started.body.importId);
    expect({ attempt, ...ended }).toMatchObject({
      attempt,
      status: 'COMPLETED',
      linesRead: 5,
      linesApplied: 3,
      linesFailed: 2,
    });
    const errors = await everything<{ line: number }>(`imports/${started.body.importId}/errors`);
    expect(errors.map(({ line }) => line)).toEqual([3, 5]);
    expect((await everything<Import>('imports')).find(({ importId }) => importId === started.body.importId)).toEqual(
      ended,
    );
  }
  expect(await registry.ok('GET', `${api}/transactions/${issuance.issuanceId}`)).toMatchObject({ type: 'ISSUANCE' });
});

test('a CSV file has one record type', async () => {
  const csv =
    'businessId,name,address.postalCode,address.city,address.country,address.street1,autoApproval\n' +
    `${newKey()},"Carbon, ""Quoted"" Ltd",1,Windhoek,Namibia,Street 1,false\n` +
    `${newKey()},,1,Windhoek,Namibia,Street 1,\n`;
  const started = await sendFile('text/csv', csv, { type: 'account-holder' });
  expect(await endOfImport(started.body.importId)).toMatchObject({
    status: 'COMPLETED',
    linesRead: 2,
    linesApplied: 1,
    linesFailed: 1,
  });
  expect((await everything<{ name: string }>('account-holders')).map(({ name }) => name)).toContain(
    'Carbon, "Quoted" Ltd',
  );
  expect((await sendFile('text/csv', csv)).status).toBe(400);
  expect((await sendFile('application/x-ndjson', '', { type: 'issuance' })).status).toBe(400);
  expect((await sendFile('application/json', '{}')).status).toBe(415);
});

testCoverage('registry');
