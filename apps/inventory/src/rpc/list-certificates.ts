import type { Rpc } from '@saleschannel/grpc';
import { readPage } from '@saleschannel/validation';
import type { Context } from '../context.ts';
import { pageOfCertificates, type OwnedBundleView } from '../store/bundle-views.ts';
import { certificateIdOf, endsOf, jsonPage, volumeOf } from './messages.ts';

export const listCertificates: Rpc<'ledger.ListCertificates', Context> =
  ({ database }) =>
  async (request) =>
    jsonPage(await pageOfCertificates(database.em(), readPage(request.page)), render);

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
