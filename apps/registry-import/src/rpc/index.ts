import { auditLog } from '@saleschannel/audit';
import { access, serviceOnly } from '@saleschannel/auth';
import { implement, type Registration } from '@saleschannel/grpc';
import type { Context } from '../context.ts';
import { createAccountHolder } from './create-account-holder.ts';
import { createIssuance } from './create-issuance.ts';
import { ensureAccountHolder } from './ensure-account-holder.ts';
import { findAccountHolders } from './find-account-holders.ts';
import { getAccountHolder } from './get-account-holder.ts';
import { getAccountHolders } from './get-account-holders.ts';
import { getActivity } from './get-activity.ts';
import { getImport } from './get-import.ts';
import { getOwnHolder } from './get-own-holder.ts';
import { getSubmittedProposal } from './get-submitted-proposal.ts';
import { listAccountHolders } from './list-account-holders.ts';
import { listImportErrors } from './list-import-errors.ts';
import { listImports } from './list-imports.ts';
import { lookUp } from './look-up.ts';
import { listSubmittedProposals } from './list-submitted-proposals.ts';
import { onrampHoldings } from './onramp-holdings.ts';
import { onramp } from './onramp.ts';
import { putFacility } from './put-facility.ts';
import { resumeAccountHolder } from './resume-account-holder.ts';
import { setKind } from './set-kind.ts';
import { startImport } from './start-import.ts';
import { submitHolderProposal } from './submit-holder-proposal.ts';
import { submitProposal } from './submit-proposal.ts';
import { suspendAccountHolder } from './suspend-account-holder.ts';
import { updateAccountHolder } from './update-account-holder.ts';
import { updateOwnHolder } from './update-own-holder.ts';

const gateway = ['gateway'] as const;
const admin = ['admin'] as const;
/** A sandbox is a registry too. It has no power anywhere else. */
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
