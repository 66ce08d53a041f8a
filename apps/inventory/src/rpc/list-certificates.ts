import { readerOf, type Rpc } from '@saleschannel/grpc';
import { id, parameters, parse, readPage } from '@saleschannel/validation';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { isIssuanceId } from '../domain/selection.ts';
import { activeCertificates, certificateStatuses } from '../store/bundle-lists.ts';
import type { OwnedBundleView } from '../store/bundle-views.ts';
import { certificateIdOf, emptyPage, endsOf, jsonPage, volumeOf } from './messages.ts';

const filterSchema = z.object({
  issuanceId: z.string().optional(),
  ownerId: id.optional(),
  salesChannelId: id.optional(),
  status: z.enum(certificateStatuses).optional(),
});
const place = parameters({
  issuanceId: 'issuanceId',
  ownerId: 'ownerId',
  salesChannelId: 'salesChannelId',
  status: 'status',
});

export const listCertificates: Rpc<'ledger.ListCertificates', Context> =
  ({ reads }) =>
  async (request, call) => {
    const asked = readPage(request.page);
    const filter = parse(filterSchema, request, 'The certificates cannot be listed this way.', place);
    if (filter.issuanceId !== undefined && !isIssuanceId(filter.issuanceId)) return emptyPage;
    return jsonPage(await reads.page(readerOf(call), (em) => activeCertificates(em, filter, asked)), render);
  };

const render = (bundle: OwnedBundleView): string =>
  JSON.stringify({
    certificateId: certificateIdOf(bundle),
    issuanceId: bundle.issuanceId,
    ...endsOf(bundle, bundle.first, bundle.last),
    volume: volumeOf(bundle),
    ownerType: bundle.salesChannelId === null ? 'ACCOUNT_HOLDER' : 'TRADER',
    ownerId: bundle.ownerId,
    salesChannelId: bundle.salesChannelId,
    status: bundle.state === 'OFFRAMPED' ? 'HELD' : bundle.state,
    expirationDate: bundle.expirationDate,
  });
