import { auditLog } from '@saleschannel/audit';
import { access, serviceOnly } from '@saleschannel/auth';
import { implement, type Registration } from '@saleschannel/grpc';
import type { Context } from '../context.ts';
import { authenticate } from './authenticate.ts';
import { createApiKey } from './create-api-key.ts';
import { createRegistryKey } from './create-registry-key.ts';
import { deleteApiKey } from './delete-api-key.ts';
import { deleteRegistryKey } from './delete-registry-key.ts';
import { ensureUser } from './ensure-user.ts';
import { getUser } from './get-user.ts';
import { issueApiKey } from './issue-api-key.ts';
import { issueRegistryKey } from './issue-registry-key.ts';
import { listApiKeys } from './list-api-keys.ts';
import { listRegistryKeys } from './list-registry-keys.ts';
import { setAccountHolder } from './set-account-holder.ts';

const gateway = ['gateway'] as const;
const admin = ['admin'] as const;

export const registrations = (context: Context): Registration[] => [
  implement('identity', context, {
    Authenticate: { callers: gateway, access: serviceOnly, handler: authenticate },
    ListApiKeys: { callers: gateway, access: access.listOwnApiKeys, handler: listApiKeys },
    CreateApiKey: { callers: gateway, access: access.createApiKey, handler: createApiKey },
    DeleteApiKey: { callers: gateway, access: access.deleteApiKey, handler: deleteApiKey },
    ListRegistryKeys: { callers: gateway, access: access.listRegistryKeys, handler: listRegistryKeys },
    CreateRegistryKey: { callers: gateway, access: access.createRegistryKey, handler: createRegistryKey },
    DeleteRegistryKey: { callers: gateway, access: access.deleteRegistryKey, handler: deleteRegistryKey },
  }),
  implement('userDirectory', context, {
    EnsureUser: { callers: admin, access: serviceOnly, handler: ensureUser },
    GetUser: { callers: ['rbac'], access: serviceOnly, handler: getUser },
    SetAccountHolder: { callers: admin, access: serviceOnly, handler: setAccountHolder },
    IssueApiKey: { callers: admin, access: serviceOnly, handler: issueApiKey },
    IssueRegistryKey: { callers: admin, access: serviceOnly, handler: issueRegistryKey },
  }),
  auditLog(context),
];
