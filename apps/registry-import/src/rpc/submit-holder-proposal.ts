import { notFound } from '@saleschannel/errors';
import { accountHolderOf, type Rpc } from '@saleschannel/grpc';
import { id, parse } from '@saleschannel/primitives/validation';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { OWN_HOLDER_SUSPENDED, refusedFor } from '../domain/refusals.ts';
import { proposalOf } from '../neighbours/proposals.ts';
import { findById } from '../store/account-holders.ts';

const requestSchema = z.object({ salesChannelId: id });

export const submitHolderProposal: Rpc<'holderPortal.SubmitHolderProposal', Context> =
  ({ database, traders }) =>
  async (request, call) => {
    const { salesChannelId } = parse(requestSchema, request, 'The proposal is not valid.');
    const holder = await findById(database.em(), accountHolderOf(call));
    if (!holder) throw notFound();
    if (holder.status === 'SUSPENDED') throw refusedFor(OWN_HOLDER_SUSPENDED);
    return traders.SubmitHolderProposal(proposalOf(holder, salesChannelId), { within: call, forPrincipal: true });
  };
