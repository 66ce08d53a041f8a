import { count, instant, interaction, jsonOf, text, type Contract } from '@saleschannel/testing/contracts';

const at = '2025-03-03T09:00:00.120Z';
const actorOf = (accountHolderId: string) => ({ kind: 'registry-key', keyId: 'k1', accountHolderId });
const facilityOf = (code: string, country = 'NO') => ({
  code,
  name: 'Plant',
  country,
  methodologyCodes: ['BIOCHAR-3'],
  supplier: 'Karbon AS',
});
/** An issuance of the registry, with its credit type id. */
export const issuanceOf = (issuanceId: string, accountHolderId: string, productionFacilityCode: string) => ({
  issuanceId,
  accountHolderId,
  productionFacilityCode,
  standard: 'NCR',
  registry: 'NRR',
  creditType: 'NCR200+',
  creditTypeId: 'NCR_200_PLUS',
  methodologyCode: 'BIOCHAR-3',
  vintage: 2024,
  productionStartDate: '2024-07-01T00:00:00Z',
  productionEndDate: '2024-12-31T23:59:59.000Z',
  issuingDate: '2025-02-10T01:00:00+01:00',
  firstSerial: '1',
  lastSerial: '500',
});
const applied = ({ holder, code, issuance }: Readonly<Record<'holder' | 'code' | 'issuance', string>>) => ({
  issuances: [issuanceOf(issuance, holder, code)],
  actor: actorOf(holder),
});
type Party = Readonly<Record<'holder' | 'channel' | 'trader', string>>;
/** A transaction, which is passed on unchanged. @param names parties, shown to account holders */
export const moved = ({ holder, channel, trader }: Party, names: object = {}) => ({
  transactionId: text('x1'),
  transaction: {
    data: jsonOf({
      transactionId: text('x1'),
      type: 'ONRAMP',
      status: 'SUCCESS',
      salesChannelId: channel,
      sellerId: holder,
      buyerId: trader,
      createdAt: instant(at),
      completedAt: instant(at),
      assets: [{ start: text('i1_1'), end: text('i1_5'), unitPrice: null, volume: count(5) }],
      currency: null,
      retirement: null,
      ...names,
    }),
  },
  replayed: false,
});
export const named = { salesChannelName: text('Nordic'), sellerName: text('Havkalk'), buyerName: text('Havkalk') };

/** Requirements of registry-import: results of records and onramps. */
export const contract: Contract = {
  consumer: 'registry-import',
  provider: 'inventory',
  interactions: [
    interaction('ledger.ApplyFacilities', {
      given: 'a code of no production facility',
      values: { holder: 'h1', code: 'K7M2QX' },
      request: ({ holder, code }) => ({ facilities: [facilityOf(code)], actor: actorOf(holder) }),
      answer: () => ({ results: [{ outcome: 'OUTCOME_CREATED' }] }),
    }),
    interaction('ledger.ApplyFacilities', {
      given: 'a code of no production facility',
      values: { holder: 'h1', code: 'K7M2QY' },
      request: ({ holder, code }) => ({ facilities: [facilityOf(code, 'Norway')], actor: actorOf(holder) }),
      answer: () => ({
        results: [
          {
            outcome: 'OUTCOME_REFUSED',
            problem: {
              code: 'invalid-request',
              violations: [{ pointer: '#/country', code: text('pattern'), detail: text('must be two letters') }],
            },
          },
        ],
      }),
    }),
    // Imports probe the ledger with an empty call.
    interaction('ledger.ApplyFacilities', {
      given: 'a code of no production facility',
      values: { holder: 'h1', code: 'K7M2QX' },
      request: () => ({ facilities: [] }),
      answer: () => ({ results: [] }),
    }),
    interaction('ledger.GetFacility', {
      given: 'a production facility',
      values: { holder: 'h1', code: 'K7M2QX' },
      as: ({ holder }) => ({ kind: 'registry', accountHolderId: holder }),
      request: ({ code }) => ({ code }),
      answer: ({ code }) => ({ code, id: text('f1'), supplierId: text('s1'), name: text('Plant') }),
    }),
    interaction('ledger.ApplyIssuances', {
      given: 'a production facility, and an id of no issuance',
      values: { holder: 'h1', code: 'K7M2QX', issuance: '5b0c2f3e-7d1a-4c69-9a58-2e4f80b6d913' },
      request: applied,
      answer: () => ({ results: [{ outcome: 'OUTCOME_CREATED' }] }),
    }),
    interaction('ledger.ApplyIssuances', {
      given: 'a code of no production facility, and an id of no issuance',
      values: { holder: 'h1', code: 'K7M2QY', issuance: '5b0c2f3e-7d1a-4c69-9a58-2e4f80b6d914' },
      request: applied,
      answer: () => ({
        results: [
          {
            outcome: 'OUTCOME_REFUSED',
            problem: {
              code: 'request-refused',
              violations: [{ pointer: '#/productionFacilityCode', code: 'unknown-reference', detail: text('is none') }],
            },
          },
        ],
      }),
    }),
    interaction('ledger.Onramp', {
      given: 'an account holder with certificates and a trader',
      values: { holder: 'h1', channel: 'c1', trader: 't1', start: 'i1_1', end: 'i1_5', key: 'k-1' },
      as: ({ holder }) => ({ kind: 'registry', accountHolderId: holder }),
      request: ({ holder, channel, trader, start, end, key }) => ({
        accountHolderId: holder,
        salesChannelId: channel,
        traderId: trader,
        assets: [{ start, end }],
        idempotencyKey: key,
      }),
      answer: (values) => moved(values),
    }),
    interaction('ledger.Onramp', {
      given: 'an account holder that has moved nothing',
      values: { holder: 'h2', channel: 'c1', key: 'k-2' },
      as: ({ holder }) => ({ kind: 'registry', accountHolderId: holder }),
      // Without a trader, only an earlier result of the key could be returned.
      request: ({ holder, channel, key }) => ({
        accountHolderId: holder,
        salesChannelId: channel,
        traderId: '',
        assets: [{ start: 'i1_1', end: 'i1_5' }],
        idempotencyKey: key,
      }),
      refusal: 'not-found',
    }),
    interaction('holdings.OnrampHoldings', {
      given: 'an account holder with certificates and a trader',
      values: { holder: 'h1', channel: 'c1', trader: 't1', start: 'i1_1', end: 'i1_5', key: 'k-1' },
      as: ({ holder }) => ({ accountHolderId: holder }),
      request: ({ holder, channel, trader, start, end, key }) => ({
        accountHolderId: holder,
        salesChannelId: channel,
        traderId: trader,
        assets: [{ start, end }],
        idempotencyKey: key,
      }),
      answer: (values) => moved(values, named),
    }),
  ],
};
