import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { useSystem } from '../support/system.ts';
import {
  accountHolderBody,
  inventoryPath,
  withIdempotencyKey,
  newKey,
  operator,
  retirementBody,
  seller,
  v1,
} from '../support/api.ts';

/** Names and texts are trimmed, composed and not blank. */

const system = useSystem();

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
