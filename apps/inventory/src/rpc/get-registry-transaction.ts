import type { Rpc } from '@saleschannel/grpc';
import { idToFind } from '@saleschannel/primitives/validation';
import type { Context } from '../context.ts';
import { registryTransaction } from './messages.ts';

export const getRegistryTransaction: Rpc<'ledger.GetRegistryTransaction', Context> =
  ({ database }) =>
  async ({ transactionId }) =>
    registryTransaction(database.em(), idToFind(transactionId));
