import type { Rpc } from '@saleschannel/grpc';
import { idToFind } from '@saleschannel/primitives/validation';
import type { Context } from '../context.ts';
import { findTradersOfHolder as find } from '../store/parties.ts';
import { partyMessage } from './messages.ts';

export const findTradersOfHolder: Rpc<'traderDirectory.FindTradersOfHolder', Context> =
  ({ database }) =>
  async ({ accountHolderId }) => ({
    parties: (await find(database.em(), idToFind(accountHolderId))).map(partyMessage),
  });
