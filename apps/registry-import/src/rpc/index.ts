import { auditLog } from '@saleschannel/audit';
import { accessRules, serviceOnlyRule } from '@saleschannel/auth';
import { implement, type Registration } from '@saleschannel/grpc';
import type { Context } from '../context.ts';
import {
  createAccountHolder,
  ensureAccountHolder,
  findAccountHolders,
  getAccountHolder,
  getAccountHolders,
  getOwnHolder,
  listAccountHolders,
  resumeAccountHolder,
  setKind,
  suspendAccountHolder,
  updateAccountHolder,
  updateOwnHolder,
} from './account-holders.ts';
import { getImport, listImportErrors, listImports, startImport } from './imports.ts';
import { createIssuance, putFacility } from './ledger-records.ts';
import { onramp, onrampHoldings } from './onramps.ts';
import { getActivity, lookUp } from './operator.ts';
import { getSubmittedProposal, listSubmittedProposals, submitHolderProposal, submitProposal } from './proposals.ts';

const gateway = ['gateway'] as const;
const admin = ['admin'] as const;
/** In a sandbox, the sandbox service acts as a registry and its operator. */
const operators = ({ isSandbox }: Context) => (isSandbox ? (['admin', 'sandbox'] as const) : admin);

export const createRegistrations = (context: Context): Registration[] => [
  implement('registryImport', context, {
    ListAccountHolders: { callers: gateway, access: accessRules.listAccountHolders, handler: listAccountHolders },
    GetAccountHolder: { callers: gateway, access: accessRules.getAccountHolder, handler: getAccountHolder },
    CreateAccountHolder: { callers: gateway, access: accessRules.createAccountHolder, handler: createAccountHolder },
    UpdateAccountHolder: { callers: gateway, access: accessRules.updateAccountHolder, handler: updateAccountHolder },
    PutFacility: { callers: gateway, access: accessRules.putFacility, handler: putFacility },
    CreateIssuance: { callers: gateway, access: accessRules.createIssuance, handler: createIssuance },
    Onramp: { callers: gateway, access: accessRules.onramp, handler: onramp },
    SubmitProposal: { callers: gateway, access: accessRules.submitProposal, handler: submitProposal },
    ListSubmittedProposals: {
      callers: gateway,
      access: accessRules.listSubmittedProposals,
      handler: listSubmittedProposals,
    },
    GetSubmittedProposal: { callers: gateway, access: accessRules.getSubmittedProposal, handler: getSubmittedProposal },
    StartImport: { callers: gateway, access: accessRules.startImport, handler: startImport },
    ListImports: { callers: gateway, access: accessRules.listImports, handler: listImports },
    GetImport: { callers: gateway, access: accessRules.getImport, handler: getImport },
    ListImportErrors: { callers: gateway, access: accessRules.listImportErrors, handler: listImportErrors },
  }),
  implement('holderPortal', context, {
    GetOwnHolder: { callers: gateway, access: accessRules.getOwnHolder, handler: getOwnHolder },
    UpdateOwnHolder: { callers: gateway, access: accessRules.updateOwnHolder, handler: updateOwnHolder },
    SubmitHolderProposal: { callers: gateway, access: accessRules.submitHolderProposal, handler: submitHolderProposal },
    OnrampHoldings: { callers: gateway, access: accessRules.onrampHoldings, handler: onrampHoldings },
  }),
  implement('accountHolderDirectory', context, {
    GetAccountHolders: {
      callers: ['tasks', 'identity', 'inventory'],
      access: serviceOnlyRule,
      handler: getAccountHolders,
    },
    EnsureAccountHolder: { callers: operators(context), access: serviceOnlyRule, handler: ensureAccountHolder },
  }),
  auditLog(context),
  implement('accountHolderAdministration', context, {
    FindAccountHolders: { callers: admin, access: serviceOnlyRule, handler: findAccountHolders },
    SetKind: { callers: operators(context), access: serviceOnlyRule, handler: setKind },
    SuspendAccountHolder: { callers: operators(context), access: serviceOnlyRule, handler: suspendAccountHolder },
    ResumeAccountHolder: { callers: admin, access: serviceOnlyRule, handler: resumeAccountHolder },
  }),
  implement('importAdministration', context, {
    StartImport: { callers: admin, access: serviceOnlyRule, handler: startImport },
    ListImports: { callers: admin, access: serviceOnlyRule, handler: listImports },
    GetImport: { callers: admin, access: serviceOnlyRule, handler: getImport },
    ListImportErrors: { callers: admin, access: serviceOnlyRule, handler: listImportErrors },
  }),
  implement('activity', context, {
    GetActivity: { callers: admin, access: serviceOnlyRule, handler: getActivity },
  }),
  implement('lookUp', context, {
    LookUp: { callers: admin, access: serviceOnlyRule, handler: lookUp },
  }),
];
