import { auditLog } from '@saleschannel/audit';
import { access, serviceOnly } from '@saleschannel/auth';
import { implement, type Registration } from '@saleschannel/grpc';
import type { Context } from '../context.ts';
import { acceptProposal } from './accept-proposal.ts';
import { createTrader } from './create-trader.ts';
import { describeParties } from './describe-parties.ts';
import { findOnboardedTraders } from './find-onboarded-traders.ts';
import { findSubmittedProposal } from './find-submitted-proposal.ts';
import { findTradersOfHolder } from './find-traders-of-holder.ts';
import { getParties } from './get-parties.ts';
import { getTrader } from './get-trader.ts';
import { listProposals } from './list-proposals.ts';
import { listTraders } from './list-traders.ts';
import { lookUp } from './look-up.ts';
import { pageHolderProposals } from './page-holder-proposals.ts';
import { pageProposals } from './page-proposals.ts';
import { pageSubmittedProposals } from './page-submitted-proposals.ts';
import { pageTraders } from './page-traders.ts';
import { rejectProposal } from './reject-proposal.ts';
import { submitHolderProposal } from './submit-holder-proposal.ts';
import { submitProposal } from './submit-proposal.ts';
import { updateTrader } from './update-trader.ts';

const gateway = ['gateway'] as const;
const inventory = ['inventory'] as const;
const registryImport = ['registry-import'] as const;

export const registrations = (context: Context): Registration[] => [
  implement('traders', context, {
    CreateTrader: { callers: gateway, access: access.createTrader, handler: createTrader },
    UpdateTrader: { callers: gateway, access: access.updateTrader, handler: updateTrader },
    GetTrader: { callers: gateway, access: access.getTrader, handler: getTrader },
    ListTraders: { callers: gateway, access: access.listTraders, handler: listTraders },
    PageTraders: { callers: gateway, access: access.listTraders, handler: pageTraders },
    PageProposals: { callers: gateway, access: access.listProposals, handler: pageProposals },
    PageHolderProposals: { callers: gateway, access: access.listHolderProposals, handler: pageHolderProposals },
    ListProposals: { callers: gateway, access: access.listProposals, handler: listProposals },
    AcceptProposal: { callers: ['gateway', 'sandbox'], access: access.acceptProposal, handler: acceptProposal },
    RejectProposal: { callers: gateway, access: access.rejectProposal, handler: rejectProposal },
  }),
  implement('traderDirectory', context, {
    GetParties: { callers: ['tasks', 'inventory'], access: serviceOnly, handler: getParties },
    FindOnboardedTraders: { callers: registryImport, access: serviceOnly, handler: findOnboardedTraders },
    FindTradersOfHolder: { callers: inventory, access: serviceOnly, handler: findTradersOfHolder },
    DescribeParties: { callers: inventory, access: serviceOnly, handler: describeParties },
    PageSubmittedProposals: {
      callers: registryImport,
      access: access.listSubmittedProposals,
      handler: pageSubmittedProposals,
    },
    FindSubmittedProposal: {
      callers: registryImport,
      access: access.getSubmittedProposal,
      handler: findSubmittedProposal,
    },
    SubmitHolderProposal: {
      callers: registryImport,
      access: access.submitHolderProposal,
      handler: submitHolderProposal,
    },
    SubmitProposal: { callers: registryImport, access: access.submitProposal, handler: submitProposal },
  }),
  auditLog(context),
  implement('lookUp', context, {
    LookUp: { callers: ['admin'], access: serviceOnly, handler: lookUp },
  }),
];
