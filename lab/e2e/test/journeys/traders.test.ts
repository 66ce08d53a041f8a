import { describe, expect, test } from '@jest/globals';
import { testCoverage } from '../support/coverage.ts';
import { useSystem } from '../support/system.ts';
import { accountHolderBody, withIdempotencyKey, newKey, operator, seller, v1, type Asset } from '../support/api.ts';

interface Proposal {
  id: string;
  name: string;
  businessId: string;
  status: string;
  onboardedTraderId: string | null;
}

interface Trader {
  id: string;
  businessId: string;
  name: string;
  address: Record<string, string>;
}

const address = {
  street: 'Sandakerveien 114',
  zipCode: '0484',
  city: 'Oslo',
  countryName: 'Norway',
  poBox: 'PO Box 221',
};

/** Proposals, traders, facilities and suppliers. */

const system = useSystem();

test('a proposal is rejected, submitted again and accepted', async () => {
  const {
    registry,
    channels: [channel],
  } = system();
  const client = system().createClient(operator(channel));
  const holder = accountHolderBody();
  const { accountHolderId } = await registry.ok<{ accountHolderId: string }>('POST', '/Registry/api/account-holders', {
    body: holder,
  });
  const body = { accountHolderId, salesChannelId: channel.salesChannelId };
  const submit = (): Promise<Proposal> => registry.ok('POST', '/Registry/api/trader-onboarding-proposals', { body });
  const decide = (decision: string) =>
    client.send<Proposal>('POST', `${v1}/trader-onboarding-proposals/${proposal.id}/${decision}`);
  const proposal = await submit();
  expect(proposal).toMatchObject({
    ...body,
    status: 'PENDING',
    onboardedTraderId: null,
    name: holder.name,
    businessId: holder.businessId,
  });
  const listed = await client.ok<Proposal[]>('GET', `${v1}/trader-onboarding-proposals`);
  expect(listed.find(({ id }) => id === proposal.id)).toMatchObject({ status: 'PENDING' });

  const rejected = await decide('reject');
  expect(rejected).toMatchObject({
    status: 201,
    body: { id: proposal.id, status: 'REJECTED', onboardedTraderId: 'NOT_ONBOARDED' },
  });
  expect((await decide('reject')).body).toEqual(rejected.body);
  expect((await decide('accept')).status).toBe(400);
  // The registry reads it without submitting again.
  const submitted = '/Registry/api/trader-onboarding-proposals';
  const expectedProposal = { id: proposal.id, ...body, status: 'REJECTED' };
  expect(await registry.ok('GET', `${submitted}/${proposal.id}`)).toMatchObject(expectedProposal);
  expect(await registry.ok('GET', submitted, { query: { status: 'REJECTED', accountHolderId } })).toMatchObject({
    pagination: { total: 1 },
    data: [expectedProposal],
  });

  expect(await submit()).toMatchObject({ id: proposal.id, status: 'PENDING', onboardedTraderId: null });
  const accepted = await decide('accept');
  expect(accepted).toMatchObject({
    status: 201,
    body: { id: proposal.id, status: 'ACCEPTED', onboardedTraderId: expect.any(String) },
  });
  expect((await decide('accept')).body).toEqual(accepted.body);
  expect((await decide('reject')).status).toBe(400);
  expect(await client.ok('GET', `${v1}/traders/${accepted.body.onboardedTraderId}`)).toMatchObject({
    name: holder.name,
    businessId: holder.businessId,
  });
});

describe('traders', () => {
  test('are created once per key', async () => {
    const client = system().createClient(operator(system().channels[0]));
    const headers = withIdempotencyKey();
    const body = { businessId: newKey(), name: 'Fjordkarbon AS', address };
    const created = await client.send<Trader>('POST', `${v1}/traders`, { body, headers });
    expect(created.status).toBe(201);
    expect(created.headers['location']).toBe(`${v1}/traders/${created.body.id}`);
    expect(created.headers).not.toHaveProperty('idempotency-replayed');
    expect(await client.ok('GET', String(created.headers['location']))).toEqual({ ...body, id: created.body.id });

    const reordered = JSON.stringify({ address, name: body.name, businessId: body.businessId }, undefined, 2);
    const again = await client.send<Trader>('POST', `${v1}/traders`, { body: reordered, headers });
    expect(again).toMatchObject({
      status: 201,
      body: created.body,
      headers: { location: created.headers['location'], 'idempotency-replayed': 'true' },
    });

    const other = await client.send('POST', `${v1}/traders`, { body: { ...body, name: 'Another' }, headers });
    expect(other).toMatchObject({ status: 400, body: { type: '/problems/idempotency-key-reused' } });
    expect(other.text).not.toContain(created.body.id);
    expect(other.text).not.toContain('Fjordkarbon');
    const traders = await client.ok<Trader[]>('GET', `${v1}/traders`);
    expect(traders.filter(({ businessId }) => businessId === body.businessId)).toHaveLength(1);
  });

  test('keys are separate per channel, and a rejected request does not use up its key', async () => {
    const headers = withIdempotencyKey();
    const body = { businessId: newKey(), name: 'Twice AS', address: {} };
    const [first, second] = system().channels.map((channel) => system().createClient(operator(channel)));
    expect((await first?.send('POST', `${v1}/traders`, { body: { ...body, nmae: 1 }, headers }))?.status).toBe(400);
    const one = await first?.ok<Trader>('POST', `${v1}/traders`, { body, headers });
    const two = await second?.send<Trader>('POST', `${v1}/traders`, { body, headers });
    expect(two?.headers).not.toHaveProperty('idempotency-replayed');
    expect(two?.body.id).not.toBe(one?.id);
  });

  test('are changed by merge patch', async () => {
    const client = system().createClient(operator(system().channels[0]));
    const body = { businessId: newKey(), name: 'Patch AS', address };
    const { id } = await client.ok<Trader>('POST', `${v1}/traders`, { body, headers: withIdempotencyKey() });
    const path = `${v1}/traders/${id}`;
    const patch = (patched: unknown) =>
      client.send<Trader>('PATCH', path, {
        body: patched,
        headers: { 'content-type': 'application/merge-patch+json' },
      });
    expect((await patch({})).body).toEqual({ ...body, id });
    const { poBox: _, ...withoutBox } = address;
    const changed = { ...body, id, name: 'Patched AS', address: { ...withoutBox, street: 'Nydalsveien 33' } };
    expect(await patch({ name: 'Patched AS', address: { street: 'Nydalsveien 33', poBox: null } })).toMatchObject({
      status: 200,
      body: changed,
    });
    expect((await client.send('PATCH', path, { body: { businessId: changed.businessId } })).body).toEqual(changed);
    for (const refused of [
      { name: null },
      { businessId: null },
      { name: '' },
      { nmae: 'x' },
      { address: { strete: 'x' } },
      [],
      'x',
    ]) {
      expect((await patch(refused)).status).toBe(400);
    }
    expect(await client.ok('GET', path)).toEqual(changed);
  });
});

test('facilities and suppliers of listed certificates can be read', async () => {
  const [channel] = system().channels;
  const client = system().createClient(operator(channel));
  const [asset] = await client.ok<Asset[]>('GET', `${v1}/traders/${seller(channel).id}/inventory`);
  const facilities = await client.ok<{ id: string; code: string; gsrn: string | null }[]>(
    'GET',
    `${v1}/production-facilities`,
  );
  const facility = facilities.find(({ id }) => id === asset?.productionFacilityId);
  expect(facility).toBeDefined();
  expect(await client.ok('GET', `${v1}/production-facilities/${facility?.id}`)).toEqual(facility);
  expect(asset?.certificates.split('_')).toContain(facility?.code);
  expect(await client.ok('GET', `${v1}/suppliers/${asset?.supplierId}`)).toMatchObject({
    id: asset?.supplierId,
    countryCode: expect.stringMatching(/^[A-Z]{2}$/),
  });
  expect(facilities.find(({ code }) => code === 'NBC001')?.gsrn).toBe('643002406801000017');
  expect(facilities.find(({ code }) => code === 'ICE7W2')?.gsrn).toBeNull();
});

testCoverage('traders');
