import { auditLog } from '@saleschannel/audit';
import { access, serviceOnly } from '@saleschannel/auth';
import { implement, type Registration } from '@saleschannel/grpc';
import type { Context } from '../context.ts';
import { lookUp } from './operator.ts';
import { describeParties, findOnboardedTraders, findTradersOfHolder, getParties } from './parties.ts';
import {
  acceptProposal,
  findSubmittedProposal,
  listProposals,
  pageHolderProposals,
  pageProposals,
  pageSubmittedProposals,
  rejectProposal,
  submitHolderProposal,
  submitProposal,
} from './proposals.ts';
import { createTrader, getTrader, listTraders, pageTraders, updateTrader } from './traders.ts';

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
