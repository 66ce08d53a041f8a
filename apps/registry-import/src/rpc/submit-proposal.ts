import type { Rpc } from '@saleschannel/grpc';
import { id, parse } from '@saleschannel/primitives/validation';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { ACCOUNT_HOLDER_SUSPENDED, refusedFor, UNKNOWN_ACCOUNT_HOLDER } from '../domain/refusals.ts';
import { proposalOf } from '../neighbours/proposals.ts';
import { findById } from '../store/account-holders.ts';

const requestSchema = z.object({ accountHolderId: id, salesChannelId: id });

export const submitProposal: Rpc<'registryImport.SubmitProposal', Context> =
  ({ database, traders }) =>
  async (request, call) => {
    const { accountHolderId, salesChannelId } = parse(requestSchema, request, 'The proposal is not valid.');
    const accountHolder = await findById(database.em(), accountHolderId);
    if (!accountHolder) throw refusedFor(UNKNOWN_ACCOUNT_HOLDER);
    if (accountHolder.status === 'SUSPENDED') throw refusedFor(ACCOUNT_HOLDER_SUSPENDED);
    return traders.SubmitProposal(proposalOf(accountHolder, salesChannelId), { within: call, forPrincipal: true });
  };
