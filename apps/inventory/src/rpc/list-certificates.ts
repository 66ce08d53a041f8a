import { readerOf, type Rpc } from '@saleschannel/grpc';
import { id, parameters, parse, readPage } from '@saleschannel/primitives/validation';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { isIssuanceId } from '../domain/selection.ts';
import { activeCertificates, certificateStatuses } from '../store/bundle-lists.ts';
import { certificateForm } from './list-messages.ts';
import { jsonPage, noRows } from './messages.ts';

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
    const { render, frame, about } = certificateForm(request.format);
    const isNothing = filter.issuanceId !== undefined && !isIssuanceId(filter.issuanceId);
    const page = isNothing ? noRows : await reads.page(readerOf(call), (em) => activeCertificates(em, filter, asked));
    return { ...jsonPage(page, render, frame), ...about };
  };
