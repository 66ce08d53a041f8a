import { notFound } from '@saleschannel/errors';
import { askerOf, type Rpc } from '@saleschannel/grpc';
import { formatCertificateRef, formatSerial } from '@saleschannel/primitives';
import type { Context } from '../context.ts';
import { isIssuanceId, readCertificate } from '../domain/selection.ts';
import { findCertificateState, type CertificateState } from '../store/statements.ts';
import { documentOf } from './messages.ts';

export const getCertificateStatus: Rpc<'publicRegister.GetCertificateStatus', Context> =
  ({ reads }) =>
  async ({ certificate }, call) => {
    const reference = readCertificate(certificate);
    if (!reference || !isIssuanceId(reference.issuanceId)) throw notFound();
    const { issuanceId, serial } = reference;
    const state = await reads.page(askerOf(call).owner, (em) => findCertificateState(em, issuanceId, serial));
    // A serial is a text: one that is written in another way names no certificate.
    const written = state && formatSerial(BigInt(serial), { width: state.serialWidth });
    if (!state || written !== serial) throw notFound();
    return documentOf(JSON.stringify(shown(state, formatCertificateRef(issuanceId, written))));
  };

/** A reservation is nobody's business but its parties': the certificate is in use. */
const statusOf = ({ isRetired, isExpired }: CertificateState): string =>
  isRetired ? 'RETIRED' : isExpired ? 'EXPIRED' : 'ACTIVE';

const shown = (state: CertificateState, certificate: string): object => ({
  certificate,
  status: statusOf(state),
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
