import { notFound } from '@saleschannel/errors';
import { accountHolderOf, type Rpc } from '@saleschannel/grpc';
import { id, parse } from '@saleschannel/primitives/validation';
import { z } from 'zod';
import type { Context } from '../context.ts';
import {
  ACCOUNT_HOLDER_SUSPENDED,
  OWN_HOLDER_SUSPENDED,
  toRefusal,
  UNKNOWN_ACCOUNT_HOLDER,
} from '../domain/refusals.ts';
import { toProposal } from '../neighbours/proposals.ts';
import { findById } from '../store/account-holders.ts';

const submitProposalRequest = z.object({ accountHolderId: id, salesChannelId: id });

export const submitProposal: Rpc<'registryImport.SubmitProposal', Context> =
  ({ database, traders }) =>
  async (request, call) => {
    const { accountHolderId, salesChannelId } = parse(submitProposalRequest, request, 'The proposal is not valid.');
    const accountHolder = await findById(database.em(), accountHolderId);
    if (!accountHolder) throw toRefusal(UNKNOWN_ACCOUNT_HOLDER);
    if (accountHolder.status === 'SUSPENDED') throw toRefusal(ACCOUNT_HOLDER_SUSPENDED);
    return traders.SubmitProposal(toProposal(accountHolder, salesChannelId), { within: call, forPrincipal: true });
  };

const submitHolderProposalRequest = z.object({ salesChannelId: id });

export const submitHolderProposal: Rpc<'holderPortal.SubmitHolderProposal', Context> =
  ({ database, traders }) =>
  async (request, call) => {
    const { salesChannelId } = parse(submitHolderProposalRequest, request, 'The proposal is not valid.');
    const holder = await findById(database.em(), accountHolderOf(call));
    if (!holder) throw notFound();
    if (holder.status === 'SUSPENDED') throw toRefusal(OWN_HOLDER_SUSPENDED);
    return traders.SubmitHolderProposal(toProposal(holder, salesChannelId), { within: call, forPrincipal: true });
  };

export const listSubmittedProposals: Rpc<'registryImport.ListSubmittedProposals', Context> =
  ({ traders }) =>
  (request, call) =>
    traders.PageSubmittedProposals(request, { within: call, forPrincipal: true });

export const getSubmittedProposal: Rpc<'registryImport.GetSubmittedProposal', Context> =
  ({ traders }) =>
  ({ proposalId }, call) =>
    traders.FindSubmittedProposal({ proposalId }, { within: call, forPrincipal: true });
