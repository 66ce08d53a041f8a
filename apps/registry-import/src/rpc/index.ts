import { auditLog } from '@saleschannel/audit';
import { access, serviceOnly } from '@saleschannel/auth';
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

export const registrations = (context: Context): Registration[] => [
  implement('registryImport', context, {
    ListAccountHolders: { callers: gateway, access: access.listAccountHolders, handler: listAccountHolders },
    GetAccountHolder: { callers: gateway, access: access.getAccountHolder, handler: getAccountHolder },
    CreateAccountHolder: { callers: gateway, access: access.createAccountHolder, handler: createAccountHolder },
    UpdateAccountHolder: { callers: gateway, access: access.updateAccountHolder, handler: updateAccountHolder },
    PutFacility: { callers: gateway, access: access.putFacility, handler: putFacility },
    CreateIssuance: { callers: gateway, access: access.createIssuance, handler: createIssuance },
    Onramp: { callers: gateway, access: access.onramp, handler: onramp },
    SubmitProposal: { callers: gateway, access: access.submitProposal, handler: submitProposal },
    ListSubmittedProposals: {
      callers: gateway,
      access: access.listSubmittedProposals,
      handler: listSubmittedProposals,
    },
    GetSubmittedProposal: { callers: gateway, access: access.getSubmittedProposal, handler: getSubmittedProposal },
    StartImport: { callers: gateway, access: access.startImport, handler: startImport },
    ListImports: { callers: gateway, access: access.listImports, handler: listImports },
    GetImport: { callers: gateway, access: access.getImport, handler: getImport },
    ListImportErrors: { callers: gateway, access: access.listImportErrors, handler: listImportErrors },
  }),
  implement('holderPortal', context, {
    GetOwnHolder: { callers: gateway, access: access.getOwnHolder, handler: getOwnHolder },
    UpdateOwnHolder: { callers: gateway, access: access.updateOwnHolder, handler: updateOwnHolder },
    SubmitHolderProposal: { callers: gateway, access: access.submitHolderProposal, handler: submitHolderProposal },
    OnrampHoldings: { callers: gateway, access: access.onrampHoldings, handler: onrampHoldings },
  }),
  implement('accountHolderDirectory', context, {
    GetAccountHolders: { callers: ['tasks', 'identity', 'inventory'], access: serviceOnly, handler: getAccountHolders },
    EnsureAccountHolder: { callers: operators(context), access: serviceOnly, handler: ensureAccountHolder },
  }),
  auditLog(context),
  implement('accountHolderAdministration', context, {
    FindAccountHolders: { callers: admin, access: serviceOnly, handler: findAccountHolders },
    SetKind: { callers: operators(context), access: serviceOnly, handler: setKind },
    SuspendAccountHolder: { callers: operators(context), access: serviceOnly, handler: suspendAccountHolder },
    ResumeAccountHolder: { callers: admin, access: serviceOnly, handler: resumeAccountHolder },
  }),
  implement('importAdministration', context, {
    StartImport: { callers: admin, access: serviceOnly, handler: startImport },
    ListImports: { callers: admin, access: serviceOnly, handler: listImports },
    GetImport: { callers: admin, access: serviceOnly, handler: getImport },
    ListImportErrors: { callers: admin, access: serviceOnly, handler: listImportErrors },
  }),
  implement('activity', context, {
    GetActivity: { callers: admin, access: serviceOnly, handler: getActivity },
  }),
  implement('lookUp', context, {
    LookUp: { callers: admin, access: serviceOnly, handler: lookUp },
  }),
];
