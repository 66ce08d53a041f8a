import type { EntityManager, ListPart, PageOf } from '@saleschannel/database';
import { notFound } from '@saleschannel/errors';
import type { ResponseOf } from '@saleschannel/grpc';
import {
  certificateId,
  certificateIdLead,
  formatCertificateRef,
  formatSerial,
  isoInstant,
  rangeVolume,
} from '@saleschannel/primitives';
import type { NamedTransaction } from '../operations/with-names.ts';
import type { BundleView, IssuanceFacts } from '../store/bundle-views.ts';
import type { FacilityRow } from '../store/facilities.ts';
import type { Holding, HoldingFacts } from '../store/holding-lists.ts';
import type { ListedBundle } from '../store/inventory-lists.ts';
import type { IssuanceView } from '../store/issuance-lists.ts';
import { findTransaction, type TransactionView } from '../store/transaction-views.ts';

/** From what this service works with to messages. */

type JsonDocument = ResponseOf<'inventory.GetTransaction'>;
type JsonChunk = ResponseOf<'inventory.ListInventory'>;
type JsonPage = ResponseOf<'ledger.ListCertificates'>;
type JsonRows = ResponseOf<'inventory.PageTransactions'>;

declare global {
  interface JSON {
    /** What `stringify` writes as this very text. TypeScript's library does not know it yet. */
    rawJSON(text: string): unknown;
  }
}

/** A JSON number with exactly these digits. It is never a binary floating-point number. */
export const exactNumber = (text: string): unknown => JSON.rawJSON(text);

/** A JSON document that is ready to be passed on. */
export const documentOf = (text: string): JsonDocument => ({ data: Buffer.from(text) });

/** Of a piece. Whoever reads slowly holds some pieces in the memory of every process on the way. */
const PIECE_CHARACTERS = 65_536;

/** What stands around the rows of a list. */
export interface Frame {
  readonly start: string;
  readonly between: string;
  readonly end: string;
}

const jsonFrame: Frame = { start: '[', between: ',', end: ']' };

/**
 * A JSON array in pieces, from pages of rows. What is said of the list comes with the first piece.
 * @param frame for another format
 */
export async function* piecesOf<About extends object, Row>(
  about: About,
  pages: AsyncIterable<Row[]>,
  render: (row: Row) => string,
  frame: Frame = jsonFrame,
): AsyncGenerator<JsonChunk & Partial<About>> {
  let [said, piece, isFirst]: [Partial<About>, string, boolean] = [about, frame.start, true];
  const take = (text: string): JsonChunk & Partial<About> => {
    const chunk = { ...said, ...documentOf(piece + text) };
    [said, piece] = [{}, ''];
    return chunk;
  };
  for await (const rows of pages) {
    for (const row of rows) {
      piece += (isFirst ? '' : frame.between) + render(row);
      isFirst = false;
      if (piece.length >= PIECE_CHARACTERS) yield take('');
    }
  }
  yield take(frame.end);
}

/** A page of a list as JSON. */
export const jsonPage = <Row>(
  { total, ...part }: PageOf<Row>,
  render: (row: Row) => string,
  frame?: Frame,
): JsonPage => ({ total, ...jsonRows(part, render, frame) });

/** What nothing can be listed for. */
export const noRows: PageOf<never> = { total: '0', rows: [], next: undefined };

/**
 * Some rows of a list as JSON.
 * @param frame for another format
 */
export const jsonRows = <Row>(
  { rows, next }: ListPart<Row>,
  render: (row: Row) => string,
  { start, between, end }: Frame = jsonFrame,
): JsonRows => ({
  data: Buffer.from(start + rows.map(render).join(between) + end),
  next,
});

/** Start and end of a range of an issuance. Serials come in as digits without leading zeros. */
export function endsOf(
  { issuanceId, serialWidth: width }: { issuanceId: string; serialWidth: number },
  first: string,
  last: string,
): { start: string; end: string } {
  const written = (serial: string): string => formatCertificateRef(issuanceId, formatSerial(BigInt(serial), { width }));
  return { start: written(first), end: written(last) };
}

/** How many certificates a range has. */
export const volumeOf = ({ first, last }: { first: string; last: string }): unknown =>
  exactNumber(String(rangeVolume({ first: BigInt(first), last: BigInt(last) })));

/** A range with how many certificates it has. */
export const rangeOf = (
  issuance: { issuanceId: string; serialWidth: number },
  first: bigint,
  last: bigint,
): object => ({
  ...endsOf(issuance, String(first), String(last)),
  volume: exactNumber(String(rangeVolume({ first, last }))),
});

/** The certificate id of a bundle. */
export const certificateIdOf = ({ first, last, serialWidth, ...view }: BundleView): string =>
  certificateId({ ...view, first: BigInt(first), last: BigInt(last), form: { width: serialWidth } });

/** What all bundles of an issuance show alike, as text. */
interface AssetText {
  readonly issuance: IssuanceFacts;
  readonly facts: string;
  readonly certificatesLead: string;
}

function assetTextOf(issuance: IssuanceFacts): AssetText {
  const facts = JSON.stringify({
    productionFacilityId: issuance.facilityId,
    supplierId: issuance.supplierId,
    methodologyCode: issuance.methodologyCode,
    issuingDate: issuance.issuingDate,
    expirationDate: issuance.expirationDate,
    creditTypeId: issuance.creditTypeId,
    standard: issuance.standard,
    countryCode: issuance.countryCode,
    productionStartDate: issuance.productionStartDate,
    productionEndDate: issuance.productionEndDate,
    vintage: issuance.vintage,
    issuanceId: issuance.issuanceId,
  });
  return { issuance, facts: membersOf(facts), certificatesLead: certificatesLeadOf(issuance) };
}

/** The text of a JSON object without its braces. */
const membersOf = (json: string): string => json.slice('{'.length, -'}'.length);

const certificatesLeadOf = (issuance: IssuanceFacts): string =>
  JSON.stringify(certificateIdLead(issuance)).slice(0, -'"'.length);

/**
 * Bundles as JSON, as the inventory lists them, one after the other. An inventory holds many bundles of few issuances,
 * so what they have of theirs is written once for those that follow each other. Nothing else of a bundle needs to be
 * escaped: an issuance's id is a UUID, and serials are digits.
 */
export function listableAssets(): (bundle: ListedBundle) => string {
  let text: AssetText | undefined;
  return ({ issuance, first, last }) => {
    text = text?.issuance === issuance ? text : assetTextOf(issuance);
    const { volume, range } = rangeTextOf(text.certificatesLead, issuance, first, last);
    return `{"volume":${volume},${text.facts},${range}}`;
  };
}

/** What each bundle of an issuance has of its own. */
function rangeTextOf(
  certificatesLead: string,
  { issuanceId, serialWidth: width }: IssuanceFacts,
  first: string,
  last: string,
): { volume: bigint; range: string } {
  const [from, to] = [BigInt(first), BigInt(last)];
  const [start, end] = [formatSerial(from, { width }), formatSerial(to, { width })];
  const [firstRef, lastRef] = [formatCertificateRef(issuanceId, start), formatCertificateRef(issuanceId, end)];
  const certificates = `"certificates":${certificatesLead}${start}-${end}"`;
  return {
    volume: rangeVolume({ first: from, last: to }),
    range: `${certificates},"start":"${firstRef}","end":"${lastRef}"`,
  };
}

interface HoldingText {
  readonly issuance: HoldingFacts;
  readonly facts: string;
  readonly certificatesLead: string;
}

function holdingTextOf(issuance: HoldingFacts): HoldingText {
  const facts = JSON.stringify({
    issuanceId: issuance.issuanceId,
    vintage: issuance.vintage,
    productionFacilityId: issuance.facilityId,
    productionFacilityCode: issuance.facilityCode,
    productionFacilityName: issuance.facilityName,
    methodologyCode: issuance.methodologyCode,
    countryCode: issuance.countryCode,
    issuingDate: issuance.issuingDate,
    expirationDate: issuance.expirationDate,
  });
  return { issuance, facts: membersOf(facts), certificatesLead: certificatesLeadOf(issuance) };
}

/** Bundles of an account holder as JSON, in the same way. */
export function holdingTexts(): (holding: Holding) => string {
  let text: HoldingText | undefined;
  return ({ issuance, first, last, state, trader }) => {
    text = text?.issuance === issuance ? text : holdingTextOf(issuance);
    const { volume, range } = rangeTextOf(text.certificatesLead, issuance, first, last);
    const place = { state, salesChannelId: trader?.salesChannelId ?? null, traderId: trader?.traderId ?? null };
    return `{${text.facts},"volume":${volume},${range},${membersOf(JSON.stringify(place))}}`;
  };
}

const assetsOf = ({ lines }: TransactionView): object[] =>
  lines.map((line) => ({
    ...endsOf(line, line.first, line.last),
    unitPrice: line.unitPrice === null ? null : exactNumber(line.unitPrice),
    volume: volumeOf(line),
  }));

export const channelMembersOf = (transaction: TransactionView): object => ({
  id: transaction.id,
  type: transaction.type,
  sellerId: transaction.sellerId,
  buyerId: transaction.buyerId,
  status: transaction.status,
  createdAt: transaction.createdAt,
  completedAt: transaction.completedAt,
  assets: assetsOf(transaction),
  currency: transaction.currency,
});

/** A transaction as JSON, for its sales channel. */
export const renderForChannel = (transaction: TransactionView): string => JSON.stringify(channelMembersOf(transaction));

/** The same with what only some transactions have. */
export const membersOfDetail = (transaction: TransactionView): object => ({
  ...channelMembersOf(transaction),
  reason: transaction.reason,
  retirement: retirementOf(transaction),
});

/** A transaction as the registry sees it. */
export const registryMembersOf = (transaction: TransactionView): object => ({
  transactionId: transaction.id,
  type: transaction.type,
  status: transaction.status,
  salesChannelId: transaction.salesChannelId,
  sellerId: transaction.sellerId,
  buyerId: transaction.buyerId,
  createdAt: transaction.createdAt,
  completedAt: transaction.completedAt,
  assets: assetsOf(transaction),
  currency: transaction.currency,
  retirement: retirementOf(transaction),
});

/** The same for an account holder, who has to decide: with the names of those whom it deals with. */
export const holderMembersOf = (transaction: NamedTransaction): object => {
  const { sellerName, buyerName, salesChannelName } = transaction;
  return { ...registryMembersOf(transaction), sellerName, buyerName, salesChannelName };
};

export const renderForHolder = (transaction: NamedTransaction): string => JSON.stringify(holderMembersOf(transaction));

export function retirementOf({ retirement }: TransactionView): object | null {
  if (!retirement) return null;
  const { consumptionPeriodStart: start, consumptionPeriodEnd: end, ...rest } = retirement;
  return { ...rest, consumptionPeriod: { start: start && isoInstant(start), end: end && isoInstant(end) } };
}

/**
 * The registry's view of a transaction as it is now.
 * @throws DomainError 'not-found'
 */
export async function registryTransaction(em: EntityManager, id: string): Promise<JsonDocument> {
  const transaction = await findTransaction(em, id);
  if (!transaction) throw notFound();
  return documentOf(JSON.stringify(registryMembersOf(transaction)));
}

/** A production facility as sales channels see it. */
export const facilityForChannel = (facility: FacilityRow): ResponseOf<'inventory.GetProductionFacility'> => ({
  id: facility.id,
  gsrn: facility.gsrn ?? undefined,
  code: facility.code,
  name: facility.name,
  countryCode: facility.countryCode,
  methodologyCodes: facility.methodologyCodes,
});

/** A production facility as the registry sees it. */
export const facilityForRegistry = (facility: FacilityRow): ResponseOf<'ledger.GetFacility'> => ({
  id: facility.id,
  code: facility.code,
  gsrn: facility.gsrn ?? undefined,
  name: facility.name,
  country: facility.countryCode,
  methodologyCodes: facility.methodologyCodes,
  supplier: facility.supplierName,
  supplierId: facility.supplierId,
  creditingPeriod:
    facility.creditingStart !== null && facility.creditingEnd !== null
      ? { start: facility.creditingStart, end: facility.creditingEnd }
      : null,
});

/** An issuance as the registry reads it. */
export const issuanceMessage = (issuance: IssuanceView): ResponseOf<'ledger.GetIssuance'> => ({
  ...issuance,
  expirationDate: issuance.expirationDate ?? undefined,
  salesChannelId: issuance.salesChannelId ?? undefined,
  traderId: issuance.traderId ?? undefined,
});
