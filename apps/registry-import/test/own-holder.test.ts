import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { ServiceClient } from '@saleschannel/grpc';
import { newId } from '@saleschannel/primitives';
import { asRegistry, asUser, removeMarkers, callAs, catchFailure, catchFailures } from '@saleschannel/testing';
import { holderContent } from './support/records.ts';
import { startRegistryImport, type RegistryImport } from './support/registry-import.ts';

/** Requests of an account holder's own users. */

let registry: RegistryImport;
let portal: ServiceClient<'holderPortal'>;
let operator: ServiceClient<'accountHolderAdministration'>;
let holderId: string;

beforeAll(async () => {
  registry = await startRegistryImport();
  portal = await registry.portal();
  operator = await registry.operator();
});
beforeEach(async () => {
  holderId = await registry.createHolder(newId());
});
afterEach(() => registry.suspendedChannels.clear());
afterAll(async () => {
  portal.close();
  operator.close();
  await registry.stop();
});

const userId = newId();
const asHolder = (id = holderId): Promise<{ principalToken: string }> => asUser(undefined, [], userId, id);
const own = async () => removeMarkers(await portal.GetOwnHolder({}, await asHolder()));
const update = async (patch: unknown) => {
  const mergePatchJson = typeof patch === 'string' ? patch : JSON.stringify(patch);
  return removeMarkers(await portal.UpdateOwnHolder({ mergePatchJson }, await asHolder()));
};
const assets = [{ start: 'i_1', end: 'i_2' }];
const onramp = async (salesChannelId: string, idempotencyKey = newId()) =>
  portal.OnrampHoldings({ salesChannelId, assets, idempotencyKey }, await asHolder());
const submit = async (salesChannelId: string) =>
  removeMarkers(await portal.SubmitHolderProposal({ salesChannelId }, await asHolder()));
const suspend = () => operator.SuspendAccountHolder({ accountHolderId: holderId, reason: 'by order' });

describe('the own account holder', () => {
  test('is read like the registry does; an unknown account holder is not found', async () => {
    expect(await own()).toEqual(await registry.get(holderId));
    const stranger = await asHolder('unknown');
    const rpcs: Promise<unknown>[] = [
      portal.GetOwnHolder({}, stranger),
      portal.UpdateOwnHolder({ mergePatchJson: '{}' }, stranger),
      portal.SubmitHolderProposal({ salesChannelId: 'c' }, stranger),
      portal.OnrampHoldings({ salesChannelId: 'c', assets, idempotencyKey: 'k' }, stranger),
    ];
    for (const failure of await catchFailures(rpcs)) expect(failure).toMatchObject({ code: 'not-found' });
  });

  test.each([' ', '\ufeff', '\u200b'])('keeps its address if a line would be %j', async (text) => {
    const before = await own();
    expect(await catchFailure(update({ address: { city: text } }))).toMatchObject({
      code: 'invalid-request',
      violations: [{ pointer: '#/address/city', code: 'blank' }],
    });
    const refused = operator.SuspendAccountHolder({ accountHolderId: holderId, reason: text });
    expect(await catchFailure(refused)).toMatchObject({ violations: [{ parameter: 'reason', code: 'blank' }] });
    expect(await own()).toEqual(before);
  });

  test('can change members of its address and autoApproval', async () => {
    const before = await own();
    expect(await update({ autoApproval: false })).toEqual({ ...before, autoApproval: false });
    expect(await update({ address: { city: 'Bergen', street2: 'Bygg B' } })).toMatchObject({
      name: before.name,
      autoApproval: false,
      address: { ...before.address, city: 'Bergen', street2: 'Bygg B' },
    });
    expect((await update({ address: { street2: null } })).address).toEqual({ ...before.address, city: 'Bergen' });
    expect(await update({})).toEqual(await registry.get(holderId));
  });

  test.each([
    [{ name: 'Another' }],
    [{ businessId: 'X' }],
    [{ kind: 'REGISTRY' }],
    [{ status: 'ACTIVE' }],
    [{ accountHolderId: 'another' }],
    [{ autoApproval: null }],
    [{ address: { country: '' } }],
    [{ address: null }],
    ['nonsense'],
  ])('refuses %j, and changes nothing', async (patch) => {
    const before = await own();
    expect(await catchFailure(update(patch))).toMatchObject({ code: 'invalid-request' });
    expect(await own()).toEqual(before);
  });

  test('keeps concurrent changes of a user and of the registry', async () => {
    await Promise.all([
      ...Array.from({ length: 5 }, () => update({ autoApproval: false })),
      ...Array.from({ length: 5 }, () => registry.update(holderId, { name: 'Renamed' })),
      update({ address: { city: 'Bergen' } }),
    ]);
    expect(await own()).toMatchObject({ name: 'Renamed', autoApproval: false, address: { city: 'Bergen' } });
  });

  test('is audited for the registry with the user, without the address', async () => {
    await update({ autoApproval: false, address: { street1: 'Hemmelig vei 7' } });
    const found = await registry.service.sql<{ scope: string; event: string }>(
      `select scope, event from audit_event where event like $1 and event like '%account-holder.updated%'`,
      [`%${holderId}%`],
    );
    expect(found.map(({ scope }) => scope)).toEqual(['registry']);
    expect(JSON.parse(String(found[0]?.event))).toMatchObject({
      actor: { kind: 'user', id: userId, accountHolderId: holderId },
      before: { autoApproval: true },
      after: { autoApproval: false, members: ['address', 'autoApproval'] },
    });
    expect(found[0]?.event).not.toContain('Hemmelig');
  });

  test('can be read and changed while suspended', async () => {
    await suspend();
    expect(await own()).toMatchObject({ status: 'SUSPENDED' });
    expect(await update({ address: { city: 'Bergen' } })).toMatchObject({ address: { city: 'Bergen' } });
  });
});

describe('a proposal of the own account holder', () => {
  test('equals that of the registry', async () => {
    const salesChannelId = newId();
    const proposal = await submit(salesChannelId);
    expect(proposal).toMatchObject({ accountHolderId: holderId, salesChannelId, status: 'PENDING' });
    expect(await submit(salesChannelId)).toEqual(proposal);
    expect(await registry.submit({ accountHolderId: holderId, salesChannelId })).toEqual(proposal);
    const { name, businessId } = await own();
    expect(registry.traders.submitted.at(-2)).toMatchObject({ name, businessId, address: { city: 'Sandefjord' } });
  });

  test('is refused while suspended, without naming a missing member', async () => {
    await suspend();
    const failure = await catchFailure(submit(newId()));
    expect(failure).toMatchObject({ code: 'request-refused', violations: [{ code: 'account-holder-suspended' }] });
    expect(failure).not.toMatchObject({ violations: [{ pointer: expect.anything() }] });
    expect(await catchFailure(submit(''))).toMatchObject({ violations: [{ pointer: '#/salesChannelId' }] });
  });
});

describe('an onramp of the own account holder', () => {
  test('goes to its trader, and shares keys with the registry', async () => {
    const salesChannelId = newId();
    const traderId = registry.traders.onboard(holderId, salesChannelId);
    const key = newId();
    const created = await onramp(salesChannelId, key);
    expect(created).toMatchObject({ transactionId: 'x1', replayed: false });
    expect(registry.ledger.onramps.at(-1)).toMatchObject({ accountHolderId: holderId, traderId, assets });
    const again = { accountHolderId: holderId, salesChannelId, assets, idempotencyKey: key };
    expect(await registry.onramp(again)).toMatchObject({ replayed: true });
  });

  test('is refused without a trader, on a suspended channel, and while suspended', async () => {
    const salesChannelId = newId();
    const refused = (code: string) => ({ code: 'request-refused', violations: [{ code }] });
    expect(await catchFailure(onramp(salesChannelId))).toMatchObject(refused('not-onboarded'));
    registry.traders.onboard(holderId, salesChannelId);
    registry.suspendedChannels.add(salesChannelId);
    expect(await catchFailure(onramp(salesChannelId))).toMatchObject(refused('sales-channel-suspended'));
    registry.suspendedChannels.clear();
    const key = newId();
    await onramp(salesChannelId, key);
    await suspend();
    expect(await catchFailure(onramp(salesChannelId))).toMatchObject(refused('account-holder-suspended'));
    // A repeat returns the earlier result.
    expect(await onramp(salesChannelId, key)).toMatchObject({ replayed: true });
  });

  test('needs a key and a selection', async () => {
    const user = await asHolder();
    const request = { salesChannelId: 'c', assets, idempotencyKey: 'k' };
    expect(await catchFailure(portal.OnrampHoldings({ ...request, idempotencyKey: '' }, user))).toMatchObject({
      violations: [{ parameter: 'Idempotency-Key' }],
    });
    expect(await catchFailure(portal.OnrampHoldings({ ...request, assets: [] }, user))).toMatchObject({
      violations: [{ pointer: '#/assets' }],
    });
  });
});

test('users without an account holder, registry keys and other services are refused', async () => {
  const forbidden = { code: 'forbidden' };
  for (const options of [await asUser(newId(), ['TRADER_ADMINISTRATOR']), await asRegistry(holderId)]) {
    expect(await catchFailure(portal.GetOwnHolder({}, options))).toMatchObject(forbidden);
    expect(await catchFailure(portal.UpdateOwnHolder({ mergePatchJson: '{}' }, options))).toMatchObject(forbidden);
    expect(await catchFailure(portal.SubmitHolderProposal({ salesChannelId: 'c' }, options))).toMatchObject(forbidden);
    expect(await catchFailure(portal.OnrampHoldings({ salesChannelId: 'c' }, options))).toMatchObject(forbidden);
  }
  expect(await catchFailure(portal.GetOwnHolder({}))).toMatchObject({ code: 'unauthenticated' });
  for (const caller of ['identity', 'inventory', 'admin'] as const) {
    const client = await callAs(caller, 'holderPortal', registry.service.address);
    expect(await catchFailure(client.GetOwnHolder({}, await asHolder()))).toMatchObject(forbidden);
    client.close();
  }
});

test('changes of one account holder do not appear in another', async () => {
  const other = (await registry.create(holderContent(newId(), 'Another'))).accountHolder;
  await update({ autoApproval: false });
  expect(await registry.get(other.accountHolderId)).toEqual(other);
});
