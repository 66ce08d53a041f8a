import { transferTypes, type TransferRequested, type TransferType } from '@saleschannel/contracts';
import { invalidRequest } from '@saleschannel/errors';
import { requestFingerprint } from '@saleschannel/primitives';
import {
  countryCode,
  date,
  dateTime,
  externalReference,
  id,
  idempotencyKey,
  metadata,
  name,
  NAME_LENGTH_AT_MOST,
  parameters,
  parse,
  pattern,
  shownText,
  text,
  TEXT_LENGTH_AT_MOST,
  unitPrice,
  type Place,
} from '@saleschannel/primitives/validation';
import { z } from 'zod';

const SELECTIONS_AT_MOST = 1_000;
/** In characters. An issuance id of 64, an underscore and a serial of 38 digits. */
const CERTIFICATE_LENGTH_AT_MOST = 103;

const certificate = text({ max: CERTIFICATE_LENGTH_AT_MOST }).regex(/^.{1,64}_[0-9]{1,38}$/u, {
  error: 'must be an issuance id, an underscore and a serial of 1 to 38 digits',
});
/** How the previous generation of the API names a certificate. Which issuance it is of is for the ledger to say. */
const serial = pattern(/^[0-9]{1,38}$/, 'must be a serial of 1 to 38 digits');

const currency = z.enum(['EUR', 'USD']);

/** Who may see the statement of a retirement, and until when its beneficiary is hidden. */
const statementTerms = z.object({
  publication: z.enum(['LINK', 'PUBLIC']).default('LINK'),
  beneficiaryHiddenUntil: date.optional(),
});

/** The trader is looked up, never judged. */
const common = {
  traderId: z.string(),
  idempotencyKey,
  externalReference: externalReference.nullish().transform((reference) => reference ?? undefined),
  metadata,
};

const assetsOf = <S extends z.ZodType>(schema: S) => z.array(schema).min(1).max(SELECTIONS_AT_MOST);

/** The schemas of each type, with certificates as one generation of the API writes them. */
function schemasOf(end: z.ZodString) {
  const range = z.object({ start: end, end });
  const priced = z.object({ range, unitPrice }).transform((asset) => ({ ...asset.range, unitPrice: asset.unitPrice }));
  const maybePriced = z
    .object({ range, unitPrice: unitPrice.optional() })
    .transform((asset) => ({ ...asset.range, unitPrice: asset.unitPrice }));
  const trade = z.object({
    ...common,
    type: z.literal('TRADE'),
    buyerId: id,
    currency,
    assets: assetsOf(priced),
  });
  const retirement = z.object({
    ...common,
    type: z.literal('RETIREMENT'),
    currency: currency.optional(),
    assets: assetsOf(maybePriced),
    beneficiaryName: shownText({ max: NAME_LENGTH_AT_MOST }),
    beneficiaryLocation: shownText({ min: 1, max: TEXT_LENGTH_AT_MOST }),
    // The public contract says which values there are. A new one needs no new release of this service.
    beneficiaryType: name,
    consumptionCountryCode: countryCode,
    usageType: name,
    consumptionPeriod: z.object({ start: dateTime, end: dateTime }),
    retirementPurpose: shownText({ min: 1, max: TEXT_LENGTH_AT_MOST }),
    statement: statementTerms.nullish().transform((terms) => terms ?? undefined),
  });
  const offramp = z.object({ ...common, type: z.literal('OFFRAMP'), assets: assetsOf(range) });
  return z.discriminatedUnion('type', [trade, retirement, offramp]);
}

const transfer = schemasOf(certificate);
const oldTransfer = schemasOf(serial);

/** What somebody wants to be done with certificates of a trader. */
export type Transfer = z.output<typeof transfer>;
export type Trade = Extract<Transfer, { type: 'TRADE' }>;
export type Retirement = Extract<Transfer, { type: 'RETIREMENT' }>;

/** A transfer as it comes in, with the terms of one type. */
export interface TransferRequest {
  readonly traderId: string;
  readonly idempotencyKey: string;
  readonly trade?: object | null | undefined;
  readonly retirement?: object | null | undefined;
  readonly offramp?: object | null | undefined;
  /** Whether its selections are those of the previous generation of the API. */
  readonly previousGeneration?: boolean | undefined;
  readonly externalReference?: string | null | undefined;
  readonly metadata?: Readonly<Record<string, string>> | null | undefined;
}

const termsOf = { TRADE: 'trade', RETIREMENT: 'retirement', OFFRAMP: 'offramp' } as const satisfies Record<
  TransferType,
  keyof TransferRequest
>;

/**
 * @throws DomainError 'invalid-request' without terms, and with those of several types: which one is meant is not
 * guessed
 */
export function transferTypeOf(request: TransferRequest): TransferType {
  const [type, ...others] = transferTypes.filter((each) => request[termsOf[each]]);
  if (type === undefined || others.length > 0)
    throw invalidRequest('The request must be either a trade, a retirement or an offramp.');
  return type;
}

const placeInRequest = parameters({ idempotencyKey: 'Idempotency-Key' });
/** The public API has the ends of a range beside its price. */
const place: Place = (path) => placeInRequest(path.filter((part) => part !== 'range'));

/**
 * @param type which of its terms the request has, by {@link transferTypeOf}
 * @throws DomainError 'invalid-request' that points at every fault
 */
export function parseTransfer(type: TransferType, request: TransferRequest): Transfer {
  const { traderId, idempotencyKey: key } = request;
  const notes = { externalReference: request.externalReference, metadata: request.metadata };
  const value = { ...request[termsOf[type]], type, traderId, idempotencyKey: key, ...notes };
  const schema = request.previousGeneration === true ? oldTransfer : transfer;
  return parse(schema, value, 'The request is not valid.', place);
}

interface Range {
  readonly start: string;
  readonly end: string;
}

/**
 * The transfer with other names of its certificates. Undefined when they are not as many.
 * @param ranges in the order of its selections
 */
export function renamed(requested: Transfer, ranges: readonly Range[]): Transfer | undefined {
  if (ranges.length !== requested.assets.length) return undefined;
  const rename = <Asset extends Range>(asset: Asset, index: number): Asset => {
    const { start, end } = ranges[index] ?? asset;
    return { ...asset, start, end };
  };
  switch (requested.type) {
    case 'TRADE':
      return { ...requested, assets: requested.assets.map(rename) };
    case 'RETIREMENT':
      return { ...requested, assets: requested.assets.map(rename) };
    case 'OFFRAMP':
      return { ...requested, assets: requested.assets.map(rename) };
  }
}

const serialOf = (end: string): string => end.slice(end.lastIndexOf('_') + 1);

/**
 * Whether the certificates of a request of the previous generation are these, whatever issuances they are of. Names
 * them so, if they are.
 */
export function namedAs(requested: Transfer, ranges: readonly Range[]): Transfer | undefined {
  const isSame = requested.assets.every(({ start, end }, index) => {
    const range = ranges[index];
    return range && serialOf(range.start) === start && serialOf(range.end) === end;
  });
  return isSame ? renamed(requested, ranges) : undefined;
}

interface Selection extends Range {
  readonly unitPrice?: string | undefined;
}

/** The selections as the ledger is told. */
export function selectionsOf({ assets }: Transfer): TransferRequested['assets'] {
  const selections: readonly Selection[] = assets;
  return selections.map(({ start, end, unitPrice: price }) => ({ start, end, unitPrice: price ?? null }));
}

/** For whom and what for certificates are retired, as the ledger is told. */
export const retirementDetails = ({ consumptionPeriod, ...terms }: Retirement) => ({
  beneficiaryName: terms.beneficiaryName,
  beneficiaryLocation: terms.beneficiaryLocation,
  beneficiaryType: terms.beneficiaryType,
  consumptionCountryCode: terms.consumptionCountryCode,
  usageType: terms.usageType,
  consumptionPeriodStart: consumptionPeriod.start,
  consumptionPeriodEnd: consumptionPeriod.end,
  retirementPurpose: terms.retirementPurpose,
});

/** Who may see the statement of a retirement, as the ledger is told. Undefined where nothing is said of it. */
export const statementTermsOf = ({ statement }: Retirement): StatementTerms | undefined =>
  statement && {
    publication: statement.publication,
    beneficiaryHiddenUntil: statement.beneficiaryHiddenUntil?.toISOString() ?? null,
  };

/** What the sales channel says of a transfer, as the ledger is told. Without members that it did not give. */
export const notesOf = ({ externalReference: reference, metadata: members }: Transfer): Notes => ({
  ...(reference === undefined ? {} : { externalReference: reference }),
  ...(members === undefined ? {} : { metadata: members }),
});

type Notes = Pick<TransferRequested, 'externalReference' | 'metadata'>;

type StatementTerms = NonNullable<Extract<TransferRequested, { type: 'RETIREMENT' }>['statement']>;

/**
 * Identifies a request by its content, in hexadecimal digits. It is stored with the task, so the same request must
 * have the same one in every release.
 */
export function fingerprintOf(requested: Transfer): string {
  const { type, traderId } = requested;
  const value = {
    operation: type,
    traderId,
    assets: selectionsOf(requested).map((asset) => [asset.start, asset.end, asset.unitPrice]),
    buyerId: type === 'TRADE' ? requested.buyerId : null,
    currency: type === 'OFFRAMP' ? null : (requested.currency ?? null),
    retirement: type === 'RETIREMENT' ? retirementDetails(requested) : null,
    // Requests of releases that knew of no statements have no such member.
    ...(type === 'RETIREMENT' && requested.statement ? { statement: statementTermsOf(requested) } : {}),
    // Nor of references.
    ...notesOf(requested),
  };
  return requestFingerprint(value).toString('hex');
}
