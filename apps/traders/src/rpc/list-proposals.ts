import type { ListProposalsRequest__Output } from '@saleschannel/contracts/gen/traders/v1/ListProposalsRequest';
import type { Proposal } from '@saleschannel/contracts/gen/traders/v1/Proposal';
import { salesChannelOf, type Call } from '@saleschannel/grpc';
import type { Context } from '../context.ts';
import * as store from '../store/proposals.ts';
import { proposalMessage } from './proposal-message.ts';

export const listProposals = ({ database }: Context) =>
  async function* (_request: ListProposalsRequest__Output, call: Call): AsyncGenerator<Proposal> {
    for await (const proposal of store.listProposals(database, salesChannelOf(call))) yield proposalMessage(proposal);
  };
