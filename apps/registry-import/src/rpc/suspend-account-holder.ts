import { actorOf } from '@saleschannel/audit';
import type { Rpc } from '@saleschannel/grpc';
import { answerOnce } from '@saleschannel/idempotency';
import { idToFind, parameters, parse, reason } from '@saleschannel/primitives/validation';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { suspendAccountHolder as suspend } from '../operations/change-standing.ts';
import { leasesEnded } from '../operations/leases.ts';
import { accountHolderMessage } from './messages.ts';

const requestSchema = z.object({ accountHolderId: z.string(), reason });
const place = parameters({ reason: 'reason' });

export const suspendAccountHolder: Rpc<'accountHolderAdministration.SuspendAccountHolder', Context> =
  ({ database, logger }) =>
  async (request, call) => {
    const suspension = parse(requestSchema, request, 'The suspension is not valid.', place);
    const accountHolderId = idToFind(suspension.accountHolderId);
    const answer = await answerOnce(
      'accountHolderAdministration.SuspendAccountHolder',
      { database, call, request },
      async (transactional) => {
        const accountHolder = await suspend(transactional, accountHolderId, suspension.reason, actorOf(call));
        logger.info({ accountHolderId }, 'account holder suspended');
        return accountHolder;
      },
      accountHolderMessage,
    );
    await leasesEnded();
    return answer;
  };
