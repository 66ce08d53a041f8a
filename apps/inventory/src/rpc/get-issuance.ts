import { notFound } from '@saleschannel/errors';
import type { Rpc } from '@saleschannel/grpc';
import type { Context } from '../context.ts';
import { isIssuanceId } from '../domain/selection.ts';
import { findIssuance } from '../store/issuance-lists.ts';
import { issuanceMessage } from './messages.ts';

export const getIssuance: Rpc<'ledger.GetIssuance', Context> =
  ({ database }) =>
  async ({ issuanceId }) => {
    const id = issuanceId.toLowerCase();
    const issuance = isIssuanceId(id) ? await findIssuance(database.em(), id) : undefined;
    if (!issuance) throw notFound();
    return issuanceMessage(issuance);
  };
