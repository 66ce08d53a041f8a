import { transferTypes, type TransferRequested, type TransferType } from '@saleschannel/contracts';
import { invalidRequest } from '@saleschannel/errors';
import { fingerprintRequest } from '@saleschannel/primitives';
import {
  countryCode,
  date,
  dateTime,
  externalReference,
  id,
  idempotencyKey,
  metadata,
  name,
  MAX_NAME_LENGTH,
  parameters,
  parse,
  pattern,
  shownText,
  text,
  MAX_TEXT_LENGTH,
  unitPrice,
  type LocateFault,
} from '@saleschannel/primitives/validation';
import { z } from 'zod';

const MAX_SELECTIONS = 1_000;
/** An issuance id of 64 characters, an underscore and a serial of 38 digits. */
const MAX_CERTIFICATE_CHARACTERS = 103;

const certificate = text({ max: MAX_CERTIFICATE_CHARACTERS }).regex(/^.{1,64}_[0-9]{1,38}$/u, {
  error: 'must be an issuance id, an underscore and a serial of 1 to 38 digits',
});
/** A certificate in the previous generation of the API. The ledger finds its issuance. */
const serial = pattern(/^[0-9]{1,38}$/, 'must be a serial of 1 to 38 digits');

const currency = z.enum(['EUR', 'USD']);

/** Visibility of the retirement's statement, and the time until which it hides the beneficiary. */
const statementTerms = z.object({
  publication: z.enum(['LINK', 'PUBLIC']).default('LINK'),
  beneficiaryHiddenUntil: date.optional(),
});

const common = {
  // Not validated: an id that cannot exist is `not-found`.
  traderId: z.string(),
  idempotencyKey,
  externalReference: externalReference.nullish().transform((reference) => reference ?? undefined),
  metadata,
};

/** A range of certificates, as `<issuance id>_<serial>`. */
export interface CertificateRange {
  readonly start: string;
  readonly end: string;
}

/** A selection, as the ledger receives it. */
interface Selection extends CertificateRange {
  readonly unitPrice: string | null;
}

const toSelection = (range: CertificateRange, price: string | undefined): Selection => ({
  start: range.start,
  end: range.end,
  unitPrice: price ?? null,
});

const arrayOf = <S extends z.ZodType>(schema: S) => z.array(schema).min(1).max(MAX_SELECTIONS);

/** @param end the form of a certificate in one generation of the API */
function createSchema(end: z.ZodString) {
  const range = z.object({ start: end, end });
  const unpriced = range.transform((each) => toSelection(each, undefined));
  const priced = z.object({ range, unitPrice }).transform((asset) => toSelection(asset.range, asset.unitPrice));
  const maybePriced = z
    .object({ range, unitPrice: unitPrice.optional() })
    .transform((asset) => toSelection(asset.range, asset.unitPrice));
  const trade = z.object({
    ...common,
    type: z.literal('TRADE'),
    buyerId: id,
    currency,
    assets: arrayOf(priced),
  });
  const retirement = z.object({
    ...common,
    type: z.literal('RETIREMENT'),
    currency: currency.optional(),
    assets: arrayOf(maybePriced),
    beneficiaryName: shownText({ max: MAX_NAME_LENGTH }),
    beneficiaryLocation: shownText({ min: 1, max: MAX_TEXT_LENGTH }),
    // The public contract lists the values, so that a new one needs no release of this service.
    beneficiaryType: name,
    consumptionCountryCode: countryCode,
    usageType: name,
    consumptionPeriod: z.object({ start: dateTime, end: dateTime }),
    retirementPurpose: shownText({ min: 1, max: MAX_TEXT_LENGTH }),
    statement: statementTerms.nullish().transform((terms) => terms ?? undefined),
  });
  const offramp = z.object({ ...common, type: z.literal('OFFRAMP'), assets: arrayOf(unpriced) });
  return z.discriminatedUnion('type', [trade, retirement, offramp]);
}

const transfer = createSchema(certificate);
const oldTransfer = createSchema(serial);

/** A requested transfer of a trader's certificates. */
export type Transfer = z.output<typeof transfer>;
export type Trade = Extract<Transfer, { type: 'TRADE' }>;
export type Retirement = Extract<Transfer, { type: 'RETIREMENT' }>;

/** A transfer before validation, with the terms of one type. */
export interface TransferRequest {
  readonly traderId: string;
  readonly idempotencyKey: string;
  readonly trade?: object | null | undefined;
  readonly retirement?: object | null | undefined;
  readonly offramp?: object | null | undefined;
  /** True if its selections have the form of the previous generation of the API. */
  readonly previousGeneration?: boolean | undefined;
  readonly externalReference?: string | null | undefined;
  readonly metadata?: Readonly<Record<string, string>> | null | undefined;
}

const termsMember = { TRADE: 'trade', RETIREMENT: 'retirement', OFFRAMP: 'offramp' } as const satisfies Record<
  TransferType,
  keyof TransferRequest
>;

/** @throws DomainError 'invalid-request' unless the request has the terms of exactly one type */
export function determineTransferType(request: TransferRequest): TransferType {
  const [type, ...others] = transferTypes.filter((each) => request[termsMember[each]]);
  if (type === undefined || others.length > 0)
    throw invalidRequest('The request must be either a trade, a retirement or an offramp.');
  return type;
}

const locateInRequest = parameters({ idempotencyKey: 'Idempotency-Key' });
/** Leaves out `range`: in the public API, the ends of a range are members of the asset. */
const locate: LocateFault = (path) => locateInRequest(path.filter((part) => part !== 'range'));

/**
 * @param type from {@link determineTransferType}
 * @throws DomainError 'invalid-request' that points at every fault
 */
export function parseTransfer(type: TransferType, request: TransferRequest): Transfer {
  const { traderId, idempotencyKey: key } = request;
  const notes = { externalReference: request.externalReference, metadata: request.metadata };
  const value = { ...request[termsMember[type]], type, traderId, idempotencyKey: key, ...notes };
  const schema = request.previousGeneration === true ? oldTransfer : transfer;
  return parse(schema, value, 'The request is not valid.', locate);
}

/**
 * Replaces the certificates of a transfer. Undefined if the numbers of ranges differ.
 * @param ranges in the order of the selections
 */
export function replaceCertificates(requested: Transfer, ranges: readonly CertificateRange[]): Transfer | undefined {
  if (ranges.length !== requested.assets.length) return undefined;
  const assets = requested.assets.map((asset, index) => {
    const { start, end } = ranges[index] ?? asset;
    return { ...asset, start, end };
  });
  return { ...requested, assets };
}

const extractSerial = (end: string): string => end.slice(end.lastIndexOf('_') + 1);

/**
 * Adds the issuances of these ranges to a request of the previous generation. Undefined unless the serials are the
 * same.
 */
export function addIssuances(requested: Transfer, ranges: readonly CertificateRange[]): Transfer | undefined {
  const isSame = requested.assets.every(({ start, end }, index) => {
    const range = ranges[index];
    return range && extractSerial(range.start) === start && extractSerial(range.end) === end;
  });
  return isSame ? replaceCertificates(requested, ranges) : undefined;
}

/** Beneficiary and purpose of a retirement, as the ledger receives them. */
export const toRetirementDetails = ({ consumptionPeriod, ...terms }: Retirement) => ({
  beneficiaryName: terms.beneficiaryName,
  beneficiaryLocation: terms.beneficiaryLocation,
  beneficiaryType: terms.beneficiaryType,
  consumptionCountryCode: terms.consumptionCountryCode,
  usageType: terms.usageType,
  consumptionPeriodStart: consumptionPeriod.start,
  consumptionPeriodEnd: consumptionPeriod.end,
  retirementPurpose: terms.retirementPurpose,
});

/** Visibility of the statement, as the ledger receives it. */
export const toStatementTerms = ({ statement }: Retirement): StatementTerms | undefined =>
  statement && {
    publication: statement.publication,
    beneficiaryHiddenUntil: statement.beneficiaryHiddenUntil?.toISOString() ?? null,
  };

/** Reference and metadata of a transfer, as the ledger receives them. Absent members stay absent. */
export const toNotes = ({ externalReference: reference, metadata: members }: Transfer): Notes => ({
  ...(reference === undefined ? {} : { externalReference: reference }),
  ...(members === undefined ? {} : { metadata: members }),
});

type Notes = Pick<TransferRequested, 'externalReference' | 'metadata'>;

type StatementTerms = NonNullable<Extract<TransferRequested, { type: 'RETIREMENT' }>['statement']>;

/**
 * Identifies a request by its content, in hexadecimal digits. Stored with the task, so an equal request must have the
 * same fingerprint in every release.
 */
export function computeFingerprint(requested: Transfer): string {
  const { type, traderId } = requested;
  const value = {
    operation: type,
    traderId,
    assets: requested.assets.map((asset) => [asset.start, asset.end, asset.unitPrice]),
    buyerId: type === 'TRADE' ? requested.buyerId : null,
    currency: type === 'OFFRAMP' ? null : (requested.currency ?? null),
    retirement: type === 'RETIREMENT' ? toRetirementDetails(requested) : null,
    // Absent in fingerprints of releases without statements.
    ...(type === 'RETIREMENT' && requested.statement ? { statement: toStatementTerms(requested) } : {}),
    // Likewise, absent in fingerprints of releases without references.
    ...toNotes(requested),
  };
  return fingerprintRequest(value).toString('hex');
}
