import { actorOf } from '@saleschannel/audit';
import type { Rpc } from '@saleschannel/grpc';
import { idToFind } from '@saleschannel/validation';
import type { Context } from '../context.ts';
import { resumeAccountHolder as resume } from '../operations/change-standing.ts';
import { accountHolderMessage } from './messages.ts';

export const resumeAccountHolder: Rpc<'accountHolderAdministration.ResumeAccountHolder', Context> =
  ({ database, logger }) =>
  async ({ accountHolderId }, call) => {
    const accountHolder = await resume(database, idToFind(accountHolderId), actorOf(call));
    logger.info({ accountHolderId: accountHolder.id }, 'account holder resumed');
    return accountHolderMessage(accountHolder);
  };
