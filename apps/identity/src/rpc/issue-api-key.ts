import { actorOf } from '@saleschannel/audit';
import type { Rpc } from '@saleschannel/grpc';
import { idToFind } from '@saleschannel/primitives/validation';
import type { Context } from '../context.ts';
import { createApiKey } from '../operations/create-key.ts';
import { createdKeyMessage } from './messages.ts';

export const issueApiKey: Rpc<'userDirectory.IssueApiKey', Context> =
  (context) =>
  async ({ userId }, call) =>
    createdKeyMessage(await createApiKey(context, { userId: idToFind(userId) }, actorOf(call)));
