import { actorOf } from '@saleschannel/audit';
import type { Rpc } from '@saleschannel/grpc';
import { answerOnce } from '@saleschannel/idempotency';
import { parse } from '@saleschannel/primitives/validation';
import type { Context } from '../context.ts';
import { accountHolderContent } from '../domain/account-holder.ts';
import { createAccountHolder } from '../operations/create-account-holder.ts';
import { accountHolderMessage } from './messages.ts';

export const ensureAccountHolder: Rpc<'accountHolderDirectory.EnsureAccountHolder', Context> =
  ({ database }) =>
  async (request, call) => {
    const content = parse(accountHolderContent, request.content, 'The account holder is not valid.');
    return answerOnce(
      'accountHolderDirectory.EnsureAccountHolder',
      { database, call, request: content },
      (transactional) => createAccountHolder(transactional, content, actorOf(call)),
      ({ accountHolder }) => accountHolderMessage(accountHolder),
    );
  };
