import type { Rpc } from '@saleschannel/grpc';
import { readProgress } from '@saleschannel/messaging';
import type { Context } from '../context.ts';

export const getLedgerProgress: Rpc<'ledgerProgress.GetLedgerProgress', Context> =
  ({ database }) =>
  ({ salesChannelId }) =>
    readProgress(() => database.em(), salesChannelId);
