import { expect, test } from '@jest/globals';
import { exportJWK, generateKeyPair } from 'jose';
import { StatementSigner } from '../src/domain/statement.ts';
import type { BundleView } from '../src/store/bundle-views.ts';
import type { SignedView } from '../src/store/statements.ts';
import { renderStatement } from '../src/rpc/statements.ts';

/** Limit of a form for `/verify` of the portal. */
const MAX_FORM_BYTES = 2_097_152;
/** Limits of the check of a statement (apps/portal/src/public/check.ts). */
const MAX_CHARACTERS = 4_194_304;
const MAX_VALUES = 30_000;

const DAY = '2024-07-01T00:00:00.000Z';

/** @param long true: every name and code has the maximum length */
async function renderThousandRanges(long: boolean): Promise<string> {
  const text = (short: string, length: number): string => (long ? '€'.repeat(length) : short);
  const view: SignedView = {
    id: '3q2-7wABz0mV9kQe1xTn4A',
    transactionId: '3q2-7wABz0mV9kQe1xTn4A',
    retiredAt: DAY,
    publication: 'PUBLIC',
    beneficiaryHiddenUntil: null,
    secret: Buffer.alloc(32),
    retirement: {
      beneficiaryName: text('Nordlys Ferries AS', 200),
      beneficiaryLocation: text('Bergen, Norway', 1_000),
      retirementPurpose: text('Residual emissions of the Bergen-Stavanger crossing in 2024', 1_000),
      beneficiaryType: 'END_CONSUMER',
      consumptionCountryCode: 'NO',
      usageType: 'SPECIFIC_ACTIVITY_LIKE_FLIGHTS',
      consumptionPeriodStart: DAY,
      consumptionPeriodEnd: DAY,
    },
  } as SignedView;
  const range = (index: number): BundleView => {
    const first = (long ? 10n ** 37n : 1n) + BigInt(index) * 100_000n;
    return {
      issuanceId: '5b0c2f3e-7d1a-4c69-9a58-2e4f80b6d913',
      serialWidth: long ? 38 : 0,
      facilityId: 'f1',
      facilityCode: 'K7M2QX',
      countryCode: 'NO',
      supplierId: 's1',
      methodologyCode: text('BIOCHAR-3', 64),
      issuingDate: DAY,
      expirationDate: null,
      creditType: text('NCR200+', 64),
      creditTypeId: 'c1',
      standard: text('NCR', 64),
      registry: text('NRR', 64),
      productionStartDate: DAY,
      productionEndDate: DAY,
      vintage: 2024,
      first: String(first),
      last: String(first + 31_249n),
    };
  };
  const { privateKey } = await generateKeyPair('Ed25519', { extractable: true });
  const { d = 'none', x = 'none' } = await exportJWK(privateKey);
  const current = { kty: 'OKP', crv: 'Ed25519', kid: 'k1', x, d } as const;
  const signer = await StatementSigner.create({ current, former: [] });
  const ranges = Array.from({ length: 1_000 }, (_, index) => range(index));
  return renderStatement(view, ranges, { signer, now: new Date(DAY), isSandbox: true });
}

test('a statement of a thousand ranges fits the limits of the portal', async () => {
  const text = await renderThousandRanges(false);
  for (const indent of [undefined, 2]) {
    const pasted = JSON.stringify(JSON.parse(text), undefined, indent);
    expect(String(new URLSearchParams({ statement: pasted })).length).toBeLessThan(MAX_FORM_BYTES);
  }
});

test('a statement with the longest names fits the limits of browsers', async () => {
  const text = await renderThousandRanges(true);
  expect(text.length).toBeLessThan(MAX_CHARACTERS);
  expect(text.split(/[,[{]/).length).toBeLessThan(MAX_VALUES);
});
