import { access, serviceOnly } from '@saleschannel/auth';
import { services } from '@saleschannel/contracts';
import { implement, type Registration } from '@saleschannel/grpc';
import type { Context } from '../context.ts';
import { createTrader } from './create-trader.ts';
import { acceptProposal, rejectProposal } from './decide-proposal.ts';
import { findOnboardedTraders } from './find-onboarded-traders.ts';
import { getParties } from './get-parties.ts';
import { getTrader } from './get-trader.ts';
import { listProposals } from './list-proposals.ts';
import { listTraders } from './list-traders.ts';
import { submitProposal } from './submit-proposal.ts';
import { updateTrader } from './update-trader.ts';

const callers = ['gateway'];

export const registrations = (context: Context): Registration[] => [
  implement(services.traders, {
    CreateTrader: { callers, access: access.createTrader, handler: createTrader(context) },
    UpdateTrader: { callers, access: access.updateTrader, handler: updateTrader(context) },
    GetTrader: { callers, access: access.getTrader, handler: getTrader(context) },
    ListTraders: { callers, access: access.listTraders, handler: listTraders(context) },
    ListProposals: { callers, access: access.listProposals, handler: listProposals(context) },
    AcceptProposal: { callers, access: access.acceptProposal, handler: acceptProposal(context) },
    RejectProposal: { callers, access: access.rejectProposal, handler: rejectProposal(context) },
  }),
  implement(services.traderDirectory, {
    GetParties: { callers: ['tasks', 'inventory'], access: serviceOnly, handler: getParties(context) },
    FindOnboardedTraders: { callers: ['registry-import'], access: serviceOnly, handler: findOnboardedTraders(context) },
    SubmitProposal: { callers: ['registry-import'], access: access.submitProposal, handler: submitProposal(context) },
  }),
];
