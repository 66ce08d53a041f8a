import { actorOf } from '@saleschannel/audit';
import type { Rpc } from '@saleschannel/grpc';
import { idToFind, jsonText, parse } from '@saleschannel/primitives/validation';
import type { Context } from '../context.ts';
import { accountHolderPatch } from '../domain/account-holder.ts';
import { updateAccountHolder as update } from '../operations/update-account-holder.ts';
import { accountHolderMessage } from './messages.ts';

const patchSchema = jsonText.pipe(accountHolderPatch);

export const updateAccountHolder: Rpc<'registryImport.UpdateAccountHolder', Context> =
  ({ database }) =>
  async ({ accountHolderId, mergePatchJson }, call) => {
    const patch = parse(patchSchema, mergePatchJson, 'The patch does not make an account holder.');
    return accountHolderMessage(await update(database, idToFind(accountHolderId), patch, actorOf(call)));
  };
