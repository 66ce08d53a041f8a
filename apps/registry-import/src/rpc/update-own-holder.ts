import { actorOf } from '@saleschannel/audit';
import { accountHolderOf, type Rpc } from '@saleschannel/grpc';
import { jsonText, parse } from '@saleschannel/primitives/validation';
import type { Context } from '../context.ts';
import { ownPatch } from '../domain/account-holder.ts';
import { updateAccountHolder } from '../operations/update-account-holder.ts';
import { accountHolderMessage } from './messages.ts';

const patchSchema = jsonText.pipe(ownPatch);

export const updateOwnHolder: Rpc<'holderPortal.UpdateOwnHolder', Context> =
  ({ database }) =>
  async ({ mergePatchJson }, call) => {
    const patch = parse(patchSchema, mergePatchJson, 'The patch does not make an account holder.');
    return accountHolderMessage(await updateAccountHolder(database, accountHolderOf(call), patch, actorOf(call)));
  };
