import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { actorOf } from '@saleschannel/audit';
import type { Call, ServiceClient } from '@saleschannel/grpc';
import { asRegistry, asUser, catchFailure, startFakeProviders, type FakeProviders } from '@saleschannel/testing';
import type { Context } from '../src/context.ts';
import type { AccountHolder } from '../src/domain/account-holder.ts';
import { findSilentNeighbours } from '../src/imports/worker.ts';
import { isNew } from '../src/neighbours/ledger.ts';
import { findOnboardedTraders, findSuspendedChannels } from '../src/neighbours/sales-channels.ts';
import { putFacility } from '../src/rpc/ledger-records.ts';
import { moveCertificates } from '../src/rpc/onramps.ts';
import { toProposal, getSubmittedProposal, listSubmittedProposals } from '../src/rpc/proposals.ts';
import { contract as inventoryContract, issuanceOf } from './contracts/inventory.ts';
import { contract as rbacContract } from './contracts/rbac.ts';
import { contract as tradersContract } from './contracts/traders.ts';

/** Checks that registry-import needs nothing of a response beyond its contracts. */

let providers: FakeProviders;
let traders: ServiceClient<'traderDirectory'>;
let ledger: ServiceClient<'ledger'>;
let holdings: ServiceClient<'holdings'>;
/** Members of the context that these functions use. */
let context: Context;
let registry: Call;
let holderUser: Call;

beforeAll(async () => {
  providers = await startFakeProviders(rbacContract, tradersContract, inventoryContract);
  traders = await providers.client('traderDirectory');
  ledger = await providers.client('ledger');
  holdings = await providers.client('holdings');
  const rbac = await providers.client('bindingDirectory');
  context = { traders, ledger, holdings, rbac } as Partial<Context> as Context;
  const principal = { kind: 'registry', keyId: 'k1', accountHolderId: 'h1' } as const;
  registry = { ...providers.call, ...(await asRegistry('h1')), principal };
  holderUser = { ...providers.call, ...(await asUser(undefined, [], undefined, 'h1')) };
});
afterAll(() => providers.stop());

test('services answer empty calls, and silent ones are named', async () => {
  expect(await findSilentNeighbours(context)).toEqual([]);
  const rbac = { GetSalesChannels: () => Promise.reject(new Error('no answer')) } as Partial<Context['rbac']>;
  expect(await findSilentNeighbours({ ...context, rbac: rbac as Context['rbac'] })).toEqual(['rbac']);
});

const holder = (id: string): AccountHolder =>
  ({
    id,
    name: 'Havkalk AS',
    businessId: 'NO-1',
    address: { postalCode: '3208', city: 'Sandefjord', country: 'Norway', street1: 'Ranvikveien 9' },
    status: 'ACTIVE',
  }) as Partial<AccountHolder> as AccountHolder;

test('finds suspended channels only', async () => {
  const suspended = await findSuspendedChannels(context, ['c1', 'c2', 'c3'], { within: registry });
  expect([...suspended]).toEqual(['c2']);
});

test('proposals of registries and of users of the account holder go to traders', async () => {
  const proposal = toProposal(holder('h1'), 'c1');
  const options = { forPrincipal: true } as const;
  expect(await traders.SubmitProposal(proposal, { within: registry, ...options })).toMatchObject({ id: 'p1' });
  expect(await traders.SubmitHolderProposal(proposal, { within: holderUser, ...options })).toMatchObject({ id: 'p1' });
  expect(await getSubmittedProposal(context)({ proposalId: 'p1' }, registry)).toMatchObject({ status: 'PENDING' });
  const page = { limit: 100, offset: '0', after: undefined };
  const filter = { page, status: 'PENDING', accountHolderId: 'h2' };
  expect(await listSubmittedProposals(context)(filter, registry)).toMatchObject({
    total: '1',
    proposals: [{ id: 'p1', name: 'Havkalk AS', businessId: 'NO-1' }],
  });
});

test('a pending proposal has no trader', async () => {
  const key = { accountHolderId: 'h2', salesChannelId: 'c1' };
  expect((await findOnboardedTraders(context, [key], { within: registry })).traderIdOf(key)).toBeUndefined();
});

const facility = (code: string, country: string) => ({
  code,
  name: 'Plant',
  country,
  methodologyCodes: ['BIOCHAR-3'],
  supplier: 'Karbon AS',
});
const put = (code: string, country: string) =>
  putFacility(context)(
    { facility: facility(code, country) } as Parameters<ReturnType<typeof putFacility>>[0],
    registry,
  );

test('a facility is stored or refused by the ledger', async () => {
  expect(await put('K7M2QX', 'NO')).toMatchObject({ created: true, facility: { id: 'f1', supplierId: 's1' } });
  expect(await catchFailure(put('K7M2QY', 'Norway'))).toMatchObject({
    code: 'invalid-request',
    violations: [{ pointer: '#/country', code: 'pattern' }],
  });
});

const issue = async (issuanceId: string, productionFacilityCode: string) =>
  isNew(
    await ledger.ApplyIssuances(
      {
        issuances: [issuanceOf(issuanceId, 'h1', productionFacilityCode)],
        actor: actorOf(registry),
      },
      { within: registry },
    ),
  );

test('an issuance is created or refused by the ledger', async () => {
  expect(await issue('5b0c2f3e-7d1a-4c69-9a58-2e4f80b6d913', 'K7M2QX')).toBe(true);
  expect(await catchFailure(issue('5b0c2f3e-7d1a-4c69-9a58-2e4f80b6d914', 'K7M2QY'))).toMatchObject({
    code: 'request-refused',
    violations: [{ pointer: '#/productionFacilityCode', code: 'unknown-reference' }],
  });
});

const suspension = { pointer: '#/accountHolderId', code: 'account-holder-suspended', detail: 'is suspended' } as const;
const selection = (idempotencyKey: string) => ({
  idempotencyKey,
  salesChannelId: 'c1',
  assets: [{ start: 'i1_1', end: 'i1_5' }],
});

test('certificates go to the trader of the account holder, for registry and users alike', async () => {
  const of = { holder: holder('h1'), selection: selection('k-1'), suspension };
  const byRegistry = await moveCertificates(context, of, registry, (request) =>
    ledger.Onramp(request, { within: registry, forPrincipal: true }),
  );
  const byHolder = await moveCertificates(context, of, holderUser, (request) =>
    holdings.OnrampHoldings(request, { within: holderUser, forPrincipal: true }),
  );
  expect([byRegistry.transactionId, byHolder.transactionId]).toEqual(['x1', 'x1']);
});

test('an onramp that is not allowed is refused unless it repeats an earlier one', async () => {
  const of = { holder: holder('h2'), selection: selection('k-2'), suspension };
  const refused = moveCertificates(context, of, registry, (request) =>
    ledger.Onramp(request, { within: registry, forPrincipal: true }),
  );
  expect(await catchFailure(refused)).toMatchObject({ violations: [{ code: 'not-onboarded' }] });
});
