import { auditLog } from '@saleschannel/audit';
import { accessRules, serviceOnlyRule } from '@saleschannel/auth';
import { implement, type Registration } from '@saleschannel/grpc';
import type { Context } from '../context.ts';
import { lookUp } from './operator.ts';
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
import {
  describeParties,
  findOnboardedTraders,
  findTradersOfHolder,
  getParties,
  createTrader,
  getTrader,
  listTraders,
  pageTraders,
  updateTrader,
} from './traders.ts';

const gateway = ['gateway'] as const;
const inventory = ['inventory'] as const;
const registryImport = ['registry-import'] as const;

export const createRegistrations = (context: Context): Registration[] => [
  implement('traders', context, {
    CreateTrader: { callers: gateway, access: accessRules.createTrader, handler: createTrader },
    UpdateTrader: { callers: gateway, access: accessRules.updateTrader, handler: updateTrader },
    GetTrader: { callers: gateway, access: accessRules.getTrader, handler: getTrader },
    ListTraders: { callers: gateway, access: accessRules.listTraders, handler: listTraders },
    PageTraders: { callers: gateway, access: accessRules.listTraders, handler: pageTraders },
    PageProposals: { callers: gateway, access: accessRules.listProposals, handler: pageProposals },
    PageHolderProposals: { callers: gateway, access: accessRules.listHolderProposals, handler: pageHolderProposals },
    ListProposals: { callers: gateway, access: accessRules.listProposals, handler: listProposals },
    AcceptProposal: { callers: ['gateway', 'sandbox'], access: accessRules.acceptProposal, handler: acceptProposal },
    RejectProposal: { callers: gateway, access: accessRules.rejectProposal, handler: rejectProposal },
  }),
  implement('traderDirectory', context, {
    GetParties: { callers: ['tasks', 'inventory'], access: serviceOnlyRule, handler: getParties },
    FindOnboardedTraders: { callers: registryImport, access: serviceOnlyRule, handler: findOnboardedTraders },
    FindTradersOfHolder: { callers: inventory, access: serviceOnlyRule, handler: findTradersOfHolder },
    DescribeParties: { callers: inventory, access: serviceOnlyRule, handler: describeParties },
    PageSubmittedProposals: {
      callers: registryImport,
      access: accessRules.listSubmittedProposals,
      handler: pageSubmittedProposals,
    },
    FindSubmittedProposal: {
      callers: registryImport,
      access: accessRules.getSubmittedProposal,
      handler: findSubmittedProposal,
    },
    SubmitHolderProposal: {
      callers: registryImport,
      access: accessRules.submitHolderProposal,
      handler: submitHolderProposal,
    },
    SubmitProposal: { callers: registryImport, access: accessRules.submitProposal, handler: submitProposal },
  }),
  auditLog(context),
  implement('lookUp', context, {
    LookUp: { callers: ['admin'], access: serviceOnlyRule, handler: lookUp },
  }),
];
