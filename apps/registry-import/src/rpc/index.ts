import { access, serviceOnly } from '@saleschannel/auth';
import { services } from '@saleschannel/contracts';
import { implement, type Registration } from '@saleschannel/grpc';
import type { Context } from '../context.ts';
import { createAccountHolder } from './create-account-holder.ts';
import { createIssuance } from './create-issuance.ts';
import { ensureAccountHolder } from './ensure-account-holder.ts';
import { getAccountHolder } from './get-account-holder.ts';
import { getAccountHolders } from './get-account-holders.ts';
import { getImport } from './get-import.ts';
import { listAccountHolders } from './list-account-holders.ts';
import { listImportErrors } from './list-import-errors.ts';
import { listImports } from './list-imports.ts';
import { onramp } from './onramp.ts';
import { putFacility } from './put-facility.ts';
import { startImport } from './start-import.ts';
import { submitProposal } from './submit-proposal.ts';
import { updateAccountHolder } from './update-account-holder.ts';

const callers = ['gateway'];

export const registrations = (context: Context): Registration[] => [
  implement(services.registryImport, {
    ListAccountHolders: { callers, access: access.listAccountHolders, handler: listAccountHolders(context) },
    GetAccountHolder: { callers, access: access.getAccountHolder, handler: getAccountHolder(context) },
    CreateAccountHolder: { callers, access: access.createAccountHolder, handler: createAccountHolder(context) },
    UpdateAccountHolder: { callers, access: access.updateAccountHolder, handler: updateAccountHolder(context) },
    PutFacility: { callers, access: access.putFacility, handler: putFacility(context) },
    CreateIssuance: { callers, access: access.createIssuance, handler: createIssuance(context) },
    Onramp: { callers, access: access.onramp, handler: onramp(context) },
    SubmitProposal: { callers, access: access.submitProposal, handler: submitProposal(context) },
    StartImport: { callers, access: access.startImport, handler: startImport(context) },
    ListImports: { callers, access: access.listImports, handler: listImports(context) },
    GetImport: { callers, access: access.getImport, handler: getImport(context) },
    ListImportErrors: { callers, access: access.listImportErrors, handler: listImportErrors(context) },
  }),
  implement(services.accountHolderDirectory, {
    GetAccountHolders: {
      callers: ['tasks', 'inventory', 'traders'],
      access: serviceOnly,
      handler: getAccountHolders(context),
    },
    EnsureAccountHolder: { callers: ['admin'], access: serviceOnly, handler: ensureAccountHolder(context) },
  }),
];
