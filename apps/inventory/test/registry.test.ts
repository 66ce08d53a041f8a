import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { keyHolders } from '@saleschannel/auth';
import { newId } from '@saleschannel/primitives';
import { asRegistry, asUser, callAs, collect, catchFailure } from '@saleschannel/testing';
import { audit } from './support/audit.ts';
import { startInventory, type Inventory } from './support/inventory.ts';
import { FACILITY, createIssuance } from './support/issuances.ts';
import { createPageReads } from './support/pages.ts';
import { holderOf, createOfframp, toSelection, createTrade, type Part } from './support/transfers.ts';

/** Moves and reads of the registry. */

let inventory: Inventory;
beforeAll(async () => {
  inventory = await startInventory();
});
afterAll(async () => {
  await audit(inventory.service).finally(() => inventory.stop());
});

describe('Onramp', () => {
  const onrampBy = async (idempotencyKey: string, parts: Part[], accountHolderId = 'ramp', traderId = 'ramp-a') => {
    const assets = parts.map(toSelection);
    const { transactionId, transaction, replayed } = await inventory.registryImport.Onramp(
      { accountHolderId, salesChannelId: 'ramp', traderId, assets, idempotencyKey },
      await asRegistry(),
    );
    const rendered = JSON.parse(String(transaction?.data)) as { transactionId: string };
    expect(transactionId).toBe(rendered.transactionId);
    return { ...rendered, replayed };
  };
  const onramp = (parts: Part[], accountHolderId?: string, traderId?: string) =>
    onrampBy(newId(), parts, accountHolderId, traderId);
  const issueHeld = async (): Promise<string> => {
    const issuance = createIssuance('ramp');
    await inventory.applyIssuances(issuance);
    return issuance.issuanceId;
  };

  test('moves certificates of an account holder to its trader, even after an offramp', async () => {
    const issuance = await issueHeld();
    expect(
      await onramp([
        [issuance, 1, 4],
        [issuance, 5, 6],
      ]),
    ).toMatchObject({ type: 'ONRAMP', status: 'SUCCESS', sellerId: 'ramp', buyerId: 'ramp-a', salesChannelId: 'ramp' });
    expect(await inventory.listRanges('ramp-a', issuance)).toEqual(['1-4', '5-6']);
    await inventory.settle(createOfframp('ramp-a', [[issuance, 1, 4]], { sellerAccountHolderId: 'ramp' }));
    expect(await inventory.listRanges('ramp-a', issuance)).toEqual(['5-6']);
    await onramp([[issuance, 1, 2]]);
    expect(await inventory.listRanges('ramp-a', issuance)).toEqual(['1-2', '5-6']);
  });

  test('refuses the whole request with every fault', async () => {
    const [issuance, other] = [await issueHeld(), await issueHeld()];
    const failure = await catchFailure(
      onramp([
        [issuance, 1, 4],
        [issuance, 6, 7],
        [other, 1, 11],
      ]),
    );
    expect(failure).toMatchObject({
      code: 'request-refused',
      violations: [
        { pointer: '#/assets/1/start', code: 'bundle-start' },
        { pointer: '#/assets/2/end', code: 'bundle-end' },
      ],
    });
    expect(await catchFailure(onramp([[issuance, 1, 4]], 'other'))).toMatchObject({
      code: 'request-refused',
      violations: [{ code: 'bundle-start' }],
    });
    expect(await catchFailure(onramp([['x', 1, 4]]))).toMatchObject({ code: 'request-refused' });
    expect(await catchFailure(onramp([[issuance, 'x', 4]]))).toMatchObject({
      code: 'request-refused',
      violations: [{ pointer: '#/assets/0/start', code: 'serial-form' }],
    });
    await inventory.expire(issuance);
    expect(await catchFailure(onramp([[issuance, 1, 4]]))).toMatchObject({ violations: [{ code: 'expired' }] });
    expect(await inventory.listRanges('ramp-a', issuance)).toEqual([]);
  });

  test('moves once per key', async () => {
    const issuance = await issueHeld();
    const first = await onrampBy('once', [[issuance, 1, 4]]);
    expect(first.replayed).toBe(false);
    expect(await onrampBy('once', [[issuance, 1, 4]])).toEqual({ ...first, replayed: true });
    expect(await inventory.listRanges('ramp-a', issuance)).toEqual(['1-4']);
    expect(await catchFailure(onrampBy('once', [[issuance, 5, 6]]))).toMatchObject({ code: 'idempotency-key-reused' });
    expect(await inventory.listRanges('ramp-a', issuance)).toEqual(['1-4']);
  });

  test('without a trader, returns the earlier onramp of the key, or not-found', async () => {
    const issuance = await issueHeld();
    const repeat = async (idempotencyKey: string, parts: Part[]) =>
      inventory.registryImport.Onramp(
        {
          accountHolderId: 'ramp',
          salesChannelId: 'ramp',
          traderId: '',
          assets: parts.map(toSelection),
          idempotencyKey,
        },
        await asRegistry(),
      );
    expect(await catchFailure(repeat('traderless', [[issuance, 1, 4]]))).toMatchObject({ code: 'not-found' });
    const { transactionId } = await onrampBy('traderless', [[issuance, 1, 4]]);
    expect(await repeat('traderless', [[issuance, 1, 4]])).toMatchObject({ transactionId, replayed: true });
    expect(await catchFailure(repeat('traderless', [[issuance, 1, 3]]))).toMatchObject({
      code: 'idempotency-key-reused',
    });
    expect(await inventory.listRanges('ramp-a', issuance)).toEqual(['1-4']);
  });

  test('keys belong to account holders, and a refusal leaves them unused', async () => {
    const issuance = await issueHeld();
    const others = createIssuance('ramp2');
    await inventory.applyIssuances(others);
    const refused = { code: 'request-refused' };
    expect(await catchFailure(onrampBy('shared', [[issuance, 2, 4]]))).toMatchObject(refused);
    expect(await onrampBy('shared', [[issuance, 1, 4]])).toMatchObject({ replayed: false });
    const ofOther = onrampBy('shared', [[others.issuanceId, 1, 2]], 'ramp2', 'ramp-b');
    expect(await ofOther).toMatchObject({ replayed: false });
  });

  test('equal concurrent requests create one onramp', async () => {
    const issuance = await issueHeld();
    const all = await Promise.all(Array.from({ length: 10 }, () => onrampBy('race', [[issuance, 1, 4]])));
    expect(new Set(all.map(({ transactionId }) => transactionId)).size).toBe(1);
    expect(all.filter(({ replayed }) => !replayed)).toHaveLength(1);
    expect(await inventory.listRanges('ramp-a', issuance)).toEqual(['1-4']);
  });

  test('invalid-request: no assets, and malformed ids', async () => {
    const issuance = await issueHeld();
    expect(await catchFailure(onramp([]))).toMatchObject({
      code: 'invalid-request',
      violations: [{ pointer: '#/assets', code: 'minItems' }],
    });
    expect(await catchFailure(onramp([[issuance, 1, 4]], '', 'a\0b'))).toMatchObject({
      code: 'invalid-request',
      violations: [
        { pointer: '#/accountHolderId', code: 'minLength' },
        { pointer: '#/traderId', code: 'nul-character' },
      ],
    });
  });

  test('forbidden: on behalf of a user', async () => {
    const options = await asUser('ramp', ['TRADER_ADMINISTRATOR']);
    expect(await catchFailure(inventory.registryImport.Onramp({ accountHolderId: 'ramp' }, options))).toMatchObject({
      code: 'forbidden',
    });
  });
});

test.each(keyHolders.filter((program) => program !== 'registry-import'))(
  '%s may not call Onramp, ApplyIssuances and ApplyFacilities, because only registry-import checks suspensions',
  async (program) => {
    const client = await callAs(program, 'ledger', inventory.service.address);
    const registry = await asRegistry();
    const forbidden = { code: 'forbidden' };
    expect(await catchFailure(client.Onramp({ accountHolderId: 'ramp' }, registry))).toMatchObject(forbidden);
    expect(await catchFailure(client.ApplyIssuances({ issuances: [] }, registry))).toMatchObject(forbidden);
    expect(await catchFailure(client.ApplyFacilities({ facilities: [] }, registry))).toMatchObject(forbidden);
    client.close();
  },
);

describe('GetCertificateHistory', () => {
  const history = async (certificate: string) =>
    JSON.parse(
      (await inventory.registryGateway.GetCertificateHistory({ certificate }, await asRegistry())).data.toString(),
    ) as Record<string, unknown>[];

  test('returns every step with its bundles', async () => {
    const issuance = createIssuance('hist');
    await inventory.applyIssuances(issuance);
    const id = issuance.issuanceId;
    await inventory.registryImport.Onramp(
      {
        accountHolderId: 'hist',
        salesChannelId: 'hist',
        traderId: 'hist-a',
        assets: [toSelection([id, 1, 8])],
        idempotencyKey: newId(),
      },
      await asRegistry(),
    );
    // Settled together, in the same millisecond.
    const requests = [
      createTrade('hist-a', 'hist-b', [[id, 1, 5]]),
      createTrade('hist-b', 'hist-a', [[id, 1, 3]]),
      createTrade('hist-a', 'hist-b', [[id, 1, 2]]),
    ];
    await inventory.publish(...requests);
    const transactionId = await inventory.settleTransaction(
      createTrade('hist-b', 'hist-a', [[id, 1, 2]], { autoApproval: false }),
    );
    await inventory.reject(transactionId);
    await inventory.settle(createOfframp('hist-b', [[id, 1, 2]], { sellerAccountHolderId: 'hist' }));
    const range = (first: number, last: number) => toSelection([id, first, last]);
    expect(await history(`${id}_2`)).toMatchObject([
      { type: 'ISSUANCE', transactionId: id, from: null, bundle: range(1, 10), fromOwner: null, toOwner: 'hist' },
      { type: 'ONRAMP', from: range(1, 10), bundle: range(1, 8), fromOwner: 'hist', toOwner: 'hist-a' },
      { type: 'TRADE', from: range(1, 8), bundle: range(1, 5), fromOwner: 'hist-a', toOwner: 'hist-b' },
      { type: 'TRADE', from: range(1, 5), bundle: range(1, 3), fromOwner: 'hist-b', toOwner: 'hist-a' },
      { type: 'TRADE', from: range(1, 3), bundle: range(1, 2), fromOwner: 'hist-a', toOwner: 'hist-b' },
      { type: 'TRADE', status: 'REJECTED', transactionId, bundle: range(1, 2) },
      { type: 'OFFRAMP', from: range(1, 2), fromOwner: 'hist-b', toOwner: 'hist' },
    ]);
    expect((await history(`${id.toUpperCase()}_9`)).map(({ type }) => type)).toEqual(['ISSUANCE']);
  });

  test.each([
    ['a serial beyond the issuance', (id: string) => `${id}_11`],
    ['an issuance id that is no UUID', () => 'x_1'],
    ['a missing serial', (id: string) => `${id}_`],
    ['a serial of 39 digits', (id: string) => `${id}_${'1'.repeat(39)}`],
    ['an empty text', () => ''],
  ])('%s is not-found', async (_name, toCertificate) => {
    const id = await inventory.scene().issue();
    expect(await catchFailure(history(toCertificate(id)))).toMatchObject({ code: 'not-found' });
  });
});

describe('pages of the registry', () => {
  type Document = Record<string, unknown>;
  const pages = async (list: 'certificates' | 'transactions'): Promise<Document[]> => {
    const all: Document[] = [];
    for (;;) {
      const { total, rows } = await createPageReads(inventory)[list]({}, { limit: 7, offset: all.length });
      all.push(...rows);
      if (rows.length < 7) {
        expect(all).toHaveLength(Number(total));
        return all;
      }
    }
  };

  test('have every certificate in use once, with its owner', async () => {
    const [listed, own] = [await inventory.issue('page', 'page-a'), createIssuance('page')];
    await inventory.applyIssuances(own);
    await inventory.settle(createTrade('page-a', 'page-b', [[listed, 1, 4]], { autoApproval: false }));
    await inventory.settle(createOfframp('page-a', [[listed, 5, 7]]));
    const all = await pages('certificates');
    expect(new Set(all.map((each) => each['certificateId'])).size).toBe(all.length);
    expect(all.filter((each) => each['issuanceId'] === listed)).toMatchObject([
      {
        start: `${listed}_1`,
        volume: 4,
        ownerType: 'TRADER',
        ownerId: 'page-a',
        salesChannelId: 'page',
        status: 'RESERVED',
      },
      {
        start: `${listed}_5`,
        volume: 3,
        ownerType: 'ACCOUNT_HOLDER',
        ownerId: holderOf('page-a'),
        salesChannelId: null,
        status: 'HELD',
      },
      { start: `${listed}_8`, volume: 3, ownerType: 'TRADER', status: 'LISTABLE' },
    ]);
    expect(all.find((each) => each['issuanceId'] === own.issuanceId)).toMatchObject({
      status: 'HELD',
      ownerType: 'ACCOUNT_HOLDER',
      certificateId: `PURO_PR_CORC_100+_NA_${FACILITY}_2024_${own.issuanceId}_1-10`,
    });
  });

  test('have every transaction once, oldest first', async () => {
    const all = await pages('transactions');
    expect(new Set(all.map((each) => each['transactionId'])).size).toBe(all.length);
    const times = all.map((each) => String(each['createdAt']));
    expect(times).toEqual(times.toSorted());
    const last = all.at(-1);
    const read = async (transactionId: unknown): Promise<Document> => {
      const { data } = await inventory.registryGateway.GetRegistryTransaction(
        { transactionId: String(transactionId) },
        await asRegistry(),
      );
      return JSON.parse(data.toString()) as Document;
    };
    expect(await read(last?.['transactionId'])).toEqual(last);
    for (const id of ['x', '', 'a\0b']) expect(await catchFailure(read(id))).toMatchObject({ code: 'not-found' });
  });

  test.each([
    [undefined, { pointer: '#', code: 'type' }],
    [
      { limit: 0, offset: 0 },
      { parameter: 'limit', code: 'minimum' },
    ],
    [
      { limit: 101, offset: 0 },
      { parameter: 'limit', code: 'maximum' },
    ],
    [
      { limit: 1, offset: -1 },
      { parameter: 'offset', code: 'pattern' },
    ],
  ])('invalid-request: the page %j', async (page, violation) => {
    const { registryGateway } = inventory;
    const [request, registry] = [{ page: page ?? null }, await asRegistry()];
    for (const call of [
      () => registryGateway.ListFacilities(request, registry),
      () => registryGateway.ListCertificates(request, registry),
      () => collect(registryGateway.ListRegistryTransactions(request, registry)),
    ]) {
      const failure = await catchFailure(call());
      expect(failure).toMatchObject({ code: 'invalid-request', violations: [violation] });
    }
  });
});
