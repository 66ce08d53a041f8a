import { notFound } from '@saleschannel/errors';
import { lookUpOwnerOf, readerOf, type Rpc } from '@saleschannel/grpc';
import { formatCsvRow, formatCertificateRef, formatSerial, type CsvColumns } from '@saleschannel/primitives';
import { id, parameters, parse, readPage } from '@saleschannel/primitives/validation';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { isIssuanceId, parseCertificate } from '../domain/selection.ts';
import type { OwnedBundleView } from '../store/bundle-views.ts';
import {
  certificateStatuses,
  findCertificateState,
  findHistory,
  selectCertificates,
  type CertificateState,
  type HistoryStep,
} from '../store/certificates.ts';
import {
  toCertificateId,
  toCertificateRef,
  createCsvForm,
  isCsv,
  toJsonDocument,
  createJsonForm,
  toRangeEnds,
  toRange,
  toRows,
  toVolume,
  type Format,
  type ListForm,
} from './messages.ts';

/** @throws DomainError 'not-found' for text that cannot name a certificate */
function parseReference(certificate: string): NonNullable<ReturnType<typeof parseCertificate>> {
  const reference = parseCertificate(certificate);
  if (!reference || !isIssuanceId(reference.issuanceId)) throw notFound();
  return reference;
}

export const getCertificateStatus: Rpc<'publicRegister.GetCertificateStatus', Context> =
  ({ reads }) =>
  async ({ certificate }, call) => {
    const { issuanceId, serial } = parseReference(certificate);
    const state = await reads.page(lookUpOwnerOf(call).owner, (em) => findCertificateState(em, issuanceId, serial));
    // A serial is text: written with other leading zeros, it names no certificate.
    const written = state && formatSerial(BigInt(serial), { width: state.serialWidth });
    if (!state || written !== serial) throw notFound();
    return toJsonDocument(toStatus(state, formatCertificateRef(issuanceId, written)));
  };

const toStatus = (state: CertificateState, certificate: string): object => ({
  certificate,
  // Reservations are private to their parties, so a reserved certificate is ACTIVE.
  status: state.isRetired ? 'RETIRED' : state.isExpired ? 'EXPIRED' : 'ACTIVE',
  retiredAt: state.retiredAt,
  statementId: state.statementId,
  standard: state.standard,
  registry: state.registry,
  creditType: state.creditType,
  methodologyCode: state.methodologyCode,
  countryCode: state.countryCode,
  productionFacilityCode: state.facilityCode,
  vintage: state.vintage,
  issuingDate: state.issuingDate,
  expirationDate: state.expirationDate,
});

export const getCertificateHistory: Rpc<'ledger.GetCertificateHistory', Context> =
  ({ database }) =>
  async ({ certificate }) => {
    const { issuanceId, serial } = parseReference(certificate);
    const steps = await findHistory(database.em(), issuanceId, serial);
    if (steps.length === 0) throw notFound();
    return toJsonDocument(steps.map(toEntry));
  };

const toEntry = (step: HistoryStep): object => ({
  transactionId: step.transactionId,
  type: step.type,
  at: step.at,
  from:
    step.sourceFirst === null || step.sourceLast === null ? null : toRangeEnds(step, step.sourceFirst, step.sourceLast),
  bundle: toRangeEnds(step, step.first, step.last),
  fromOwner: step.sellerId,
  toOwner: step.type === 'OFFRAMP' ? step.accountHolderId : step.buyerId,
  status: step.status,
});

const toOwnerType = ({ salesChannelId }: OwnedBundleView): string =>
  salesChannelId === null ? 'ACCOUNT_HOLDER' : 'TRADER';

const toListStatus = ({ state }: OwnedBundleView): string => (state === 'OFFRAMPED' ? 'HELD' : state);

const columns: CsvColumns<OwnedBundleView> = {
  certificateId: toCertificateId,
  issuanceId: ({ issuanceId }) => issuanceId,
  start: (bundle) => toCertificateRef(bundle, bundle.first),
  end: (bundle) => toCertificateRef(bundle, bundle.last),
  volume: (bundle) => String(toVolume(bundle)),
  ownerType: toOwnerType,
  ownerId: ({ ownerId }) => ownerId,
  salesChannelId: ({ salesChannelId }) => salesChannelId,
  status: toListStatus,
  expirationDate: ({ expirationDate }) => expirationDate,
};

const renderJson = (bundle: OwnedBundleView): string =>
  JSON.stringify({
    certificateId: toCertificateId(bundle),
    issuanceId: bundle.issuanceId,
    ...toRange(bundle, bundle.first, bundle.last),
    ownerType: toOwnerType(bundle),
    ownerId: bundle.ownerId,
    salesChannelId: bundle.salesChannelId,
    status: toListStatus(bundle),
    expirationDate: bundle.expirationDate,
  });

/** In CSV, one record per bundle. */
const createCertificateForm = (format: Format): ListForm<OwnedBundleView> =>
  isCsv(format) ? createCsvForm(columns, (bundle) => formatCsvRow(columns, bundle)) : createJsonForm(renderJson);

const filterSchema = z.object({
  issuanceId: z.string().optional(),
  ownerId: id.optional(),
  salesChannelId: id.optional(),
  status: z.enum(certificateStatuses).optional(),
});
const filterLocation = parameters({
  issuanceId: 'issuanceId',
  ownerId: 'ownerId',
  salesChannelId: 'salesChannelId',
  status: 'status',
});

const EMPTY = { total: '0', rows: [], next: undefined };

export const listCertificates: Rpc<'ledger.ListCertificates', Context> =
  ({ reads }) =>
  async (request, call) => {
    const page = readPage(request.page);
    const filter = parse(filterSchema, request, 'The certificates cannot be listed this way.', filterLocation);
    const isEmpty = filter.issuanceId !== undefined && !isIssuanceId(filter.issuanceId);
    const { total, ...rows } = isEmpty
      ? EMPTY
      : await reads.page(readerOf(call), (em) => selectCertificates(em, filter, page));
    return { total, ...toRows(rows, createCertificateForm(request.format)) };
  };
