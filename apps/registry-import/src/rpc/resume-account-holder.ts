import { actorOf } from '@saleschannel/audit';
import type { Rpc } from '@saleschannel/grpc';
import { answerOnce } from '@saleschannel/idempotency';
import { idToFind } from '@saleschannel/primitives/validation';
import type { Context } from '../context.ts';
import { resumeAccountHolder as resume } from '../operations/change-standing.ts';
import { leasesEnded } from '../operations/leases.ts';
import { accountHolderMessage } from './messages.ts';

export const resumeAccountHolder: Rpc<'accountHolderAdministration.ResumeAccountHolder', Context> =
  ({ database, logger }) =>
  async (request, call) => {
    const accountHolderId = idToFind(request.accountHolderId);
    const answer = await answerOnce(
      'accountHolderAdministration.ResumeAccountHolder',
      { database, call, request },
      async (transactional) => {
        const accountHolder = await resume(transactional, accountHolderId, actorOf(call));
        logger.info({ accountHolderId }, 'account holder resumed');
        return accountHolder;
      },
      accountHolderMessage,
    );
    await leasesEnded();
    return answer;
  };
