import { actorOf } from '@saleschannel/audit';
import type { Rpc } from '@saleschannel/grpc';
import { answerOnce } from '@saleschannel/idempotency';
import { parse } from '@saleschannel/primitives/validation';
import type { Context } from '../context.ts';
import { accountHolderContent } from '../domain/account-holder.ts';
import { createAccountHolder as create } from '../operations/create-account-holder.ts';
import { accountHolderMessage } from './messages.ts';

export const createAccountHolder: Rpc<'registryImport.CreateAccountHolder', Context> =
  ({ database }) =>
  async (request, call) => {
    const content = parse(accountHolderContent, request.content, 'The account holder is not valid.');
    return answerOnce(
      'registryImport.CreateAccountHolder',
      { database, call, request: content },
      (transactional) => create(transactional, content, actorOf(call)),
      ({ accountHolder, created }) => ({ accountHolder: accountHolderMessage(accountHolder), created }),
    );
  };
