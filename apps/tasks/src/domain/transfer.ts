import { access, type AccessRule } from '@saleschannel/auth';
import { DomainError, invalidRequest, requestRefused, type Violation } from '@saleschannel/errors';
import { requestFingerprint, unitPriceFromJson } from '@saleschannel/primitives';
import type { StartTransfer__Output } from '../rpc/messages.ts';

/** What a request to transfer certificates must be, as far as that can be told without asking anybody. Pure. */

export const operations = ['TRADE', 'RETIREMENT', 'OFFRAMP'] as const;
export type Operation = (typeof operations)[number];

export const startAccess: Record<Operation, AccessRule> = {
  TRADE: access.startTrade,
  RETIREMENT: access.startRetirement,
  OFFRAMP: access.startOfframp,
};

const IDEMPOTENCY_KEY = /^[\w-]{1,64}$/;
const SELECTIONS_AT_MOST = 1_000;
const CURRENCIES = ['EUR', 'USD'];
const NON_EMPTY_TEXTS = ['beneficiaryLocation', 'retirementPurpose'] as const;
const COUNTRY_CODE = /^[A-Z]{2}$/;

export const isOperation = (operation: unknown): operation is Operation =>
  (operations as readonly unknown[]).includes(operation);

/** Checks the shape; the gateway did so by the public contract, and is not trusted. @throws DomainError 'invalid-request' */
export function checkShape(request: StartTransfer__Output): void {
  const violations: Violation[] = [];
  if (!IDEMPOTENCY_KEY.test(request.idempotencyKey)) {
    violations.push({
      parameter: 'Idempotency-Key',
      code: 'pattern',
      detail: 'must be 1 to 64 letters, digits, underscores or hyphens',
    });
  }
  if (request.assets.length === 0 || request.assets.length > SELECTIONS_AT_MOST) {
    violations.push({ pointer: '#/assets', code: 'length', detail: `must hold 1 to ${SELECTIONS_AT_MOST} selections` });
  }
  if (request.currency !== undefined && !CURRENCIES.includes(request.currency)) {
    violations.push({ pointer: '#/currency', code: 'enum', detail: 'must be EUR or USD' });
  }
  violations.push(...checkPriceForms(request), ...checkKind(request));
  if (violations.length > 0) throw invalidRequest('The request is not valid.', violations);
}

function checkPriceForms({ assets }: StartTransfer__Output): Violation[] {
  return assets.flatMap(({ unitPrice }, index) => {
    try {
      if (unitPrice !== undefined) unitPriceFromJson(unitPrice, `#/assets/${index}/unitPrice`);
      return [];
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      return error.violations;
    }
  });
}

/** Each kind of transfer has members of its own, and none of the others. */
function checkKind({ operation, buyerId, retirement }: StartTransfer__Output): Violation[] {
  const violations: Violation[] = [];
  if ((operation === 'TRADE') !== (buyerId !== undefined)) {
    violations.push({
      pointer: '#/buyerId',
      code: operation === 'TRADE' ? 'required' : 'unexpected',
      detail: 'A trade, and nothing else, has a buyer.',
    });
  }
  if ((operation === 'RETIREMENT') !== Boolean(retirement)) {
    violations.push({
      pointer: '#/retirementPurpose',
      code: operation === 'RETIREMENT' ? 'required' : 'unexpected',
      detail: 'A retirement, and nothing else, has a purpose.',
    });
  }
  if (!retirement) return violations;
  for (const field of NON_EMPTY_TEXTS) {
    if (retirement[field] === '')
      violations.push({ pointer: `#/${field}`, code: 'length', detail: 'must not be empty' });
  }
  if (!COUNTRY_CODE.test(retirement.consumptionCountryCode)) {
    violations.push({ pointer: '#/consumptionCountryCode', code: 'pattern', detail: 'must be two upper-case letters' });
  }
  for (const bound of ['start', 'end'] as const) {
    const text = bound === 'start' ? retirement.consumptionPeriodStart : retirement.consumptionPeriodEnd;
    if (Number.isNaN(Date.parse(text)))
      violations.push({ pointer: `#/consumptionPeriod/${bound}`, code: 'format', detail: 'must be a date-time' });
  }
  return violations;
}

/** What the fields mean together: prices, currency, buyer and period. @throws DomainError 'request-refused' */
export function checkMeaning(request: StartTransfer__Output): void {
  const violations = [...checkPrices(request), ...checkParties(request), ...checkPeriod(request)];
  if (violations.length > 0) throw requestRefused('The request cannot be carried out.', violations);
}

function checkPrices({ operation, assets, currency }: StartTransfer__Output): Violation[] {
  const unpriced = assets.flatMap((asset, index) => (asset.unitPrice === undefined ? [index] : []));
  const needed = operation === 'TRADE' || (operation === 'RETIREMENT' && unpriced.length < assets.length);
  const violations = needed
    ? unpriced.map((index): Violation => ({
        pointer: `#/assets/${index}/unitPrice`,
        code: 'price-missing',
        detail: 'Either all selections carry a unit price or none does.',
      }))
    : [];
  if (operation === 'OFFRAMP' && unpriced.length < assets.length) {
    violations.push({ pointer: '#/assets', code: 'price-unexpected', detail: 'An offramp has no prices.' });
  }
  const hasPrices = unpriced.length < assets.length;
  if (hasPrices && currency === undefined)
    violations.push({ pointer: '#/currency', code: 'currency-missing', detail: 'Prices need a currency.' });
  if (!hasPrices && currency !== undefined) {
    violations.push({
      pointer: '#/currency',
      code: 'currency-unexpected',
      detail: 'Without prices the currency must be null.',
    });
  }
  return violations;
}

function checkParties({ operation, traderId, buyerId }: StartTransfer__Output): Violation[] {
  if (operation === 'TRADE' && buyerId === traderId) {
    return [
      { pointer: '#/buyerId', code: 'buyer-is-seller', detail: 'The buyer must be another trader than the seller.' },
    ];
  }
  return [];
}

function checkPeriod({ operation, retirement }: StartTransfer__Output): Violation[] {
  if (operation !== 'RETIREMENT') return [];
  if (Date.parse(retirement?.consumptionPeriodStart ?? '') <= Date.parse(retirement?.consumptionPeriodEnd ?? ''))
    return [];
  return [
    { pointer: '#/consumptionPeriod/start', code: 'period-order', detail: 'The period must not end before it starts.' },
  ];
}

export const unknownBuyer = (): DomainError =>
  requestRefused('The request cannot be carried out.', [
    { pointer: '#/buyerId', code: 'buyer-unknown', detail: 'There is no such trader in your sales channel.' },
  ]);

export const notOnboarded = (): DomainError =>
  requestRefused('Only a trader that was onboarded by proposal can offramp.', [
    {
      parameter: 'traderId',
      code: 'not-onboarded',
      detail:
        'The trader was created by the sales channel, so there is no account holder to give the certificates back to.',
    },
  ]);

/** Identifies a request: path ids and JSON values, whatever the order of its members. */
export function fingerprintOf(request: StartTransfer__Output): string {
  const { operation, traderId, assets, buyerId, currency, retirement } = request;
  const value = {
    operation,
    traderId,
    // 1.0 and 1 are one JSON number.
    assets: assets.map(({ start, end, unitPrice }) => [
      start,
      end,
      unitPrice === undefined ? null : unitPriceFromJson(unitPrice),
    ]),
    buyerId: buyerId ?? null,
    currency: currency ?? null,
    retirement: retirement ? { ...retirement } : null,
  };
  return requestFingerprint(value).toString('hex');
}
