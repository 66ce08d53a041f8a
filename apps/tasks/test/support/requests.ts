import type { Role } from '@saleschannel/auth';
import type { SentTo } from '@saleschannel/grpc';
import { newId } from '@saleschannel/primitives';
import { asUser } from '@saleschannel/testing';
import { ISSUANCE } from './neighbours.ts';

export { ISSUANCE };

/** A channel for one test, with three traders. */
export interface Scene {
  readonly channel: string;
  readonly seller: string;
  readonly buyer: string;
  /** A trader onboarded by proposal, with an account holder. */
  readonly onboarded: string;
  readonly holder: string;
}

export type StartTransfer = NonNullable<SentTo<'tasks.StartTransfers'>['transfers']>[number];

/** A transfer with an idempotency key. */
export type KeyedTransfer = StartTransfer & { readonly idempotencyKey: string };

/** Terms that differ from the default terms. */
export type TermsOf<Name extends 'trade' | 'retirement' | 'offramp'> = NonNullable<StartTransfer[Name]>;

/** Fields that differ from the default request. */
export interface RequestFields {
  roles?: readonly Role[];
  /** True: the user's channel is suspended. */
  isSuspended?: boolean;
  /** True: the user is bound to no channel. */
  isUnbound?: boolean;
  traderId?: string;
  idempotencyKey?: string;
  traceparent?: string;
  /** True: the request names certificates without their issuance. */
  previousGeneration?: boolean;
  externalReference?: string;
  metadata?: Record<string, string>;
}

export const range = (first: number, last: number) => ({ start: `${ISSUANCE}_${first}`, end: `${ISSUANCE}_${last}` });

/** A selection of one certificate, with a price. */
export const asset = (serial: number, unitPrice: string) => ({ range: range(serial, serial), unitPrice });

/** Creates selections of ten certificates each, with these prices. */
export const priced = (...prices: (string | undefined)[]) =>
  prices.map((unitPrice, index) => {
    const ten = range(index * 10 + 1, index * 10 + 10);
    return unitPrice === undefined ? { range: ten } : { range: ten, unitPrice };
  });

async function createRequest(
  { channel }: Scene,
  role: Role,
  { roles = [role], isUnbound = false, isSuspended, ...common }: RequestFields,
): Promise<KeyedTransfer> {
  const { principalToken } = await asUser(isUnbound ? undefined : channel, roles, newId(), undefined, { isSuspended });
  return { principalToken, idempotencyKey: newId(), ...common };
}

export const trade = async (scene: Scene, terms: TermsOf<'trade'> = {}, fields: RequestFields = {}) => ({
  ...(await createRequest(scene, 'TRANSACTION_ADMINISTRATOR', { traderId: scene.seller, ...fields })),
  trade: { buyerId: scene.buyer, currency: 'EUR', assets: [{ range: range(1, 5), unitPrice: '12.5' }], ...terms },
});

/** Beneficiary and purpose. */
export const RETIREMENT = {
  beneficiaryName: 'Ada',
  beneficiaryLocation: 'London',
  beneficiaryType: 'END_CONSUMER',
  consumptionCountryCode: 'GB',
  usageType: 'DISCLOSURE',
  consumptionPeriod: { start: '2024-01-01T00:00:00Z', end: '2024-12-31T00:00:00Z' },
  retirementPurpose: 'Travel',
};

export const retirement = async (scene: Scene, terms: TermsOf<'retirement'> = {}, fields: RequestFields = {}) => ({
  ...(await createRequest(scene, 'TRANSACTION_ADMINISTRATOR', { traderId: scene.seller, ...fields })),
  retirement: { ...RETIREMENT, assets: [{ range: range(1, 5) }], ...terms },
});

export const offramp = async (scene: Scene, terms: TermsOf<'offramp'> = {}, fields: RequestFields = {}) => ({
  ...(await createRequest(scene, 'ASSET_OFFRAMPER', { traderId: scene.onboarded, ...fields })),
  offramp: { assets: [range(1, 5)], ...terms },
});
