import { access, serviceOnly } from '@saleschannel/auth';
import { services } from '@saleschannel/contracts';
import { implement, type Registration } from '@saleschannel/grpc';
import type { Context } from '../context.ts';
import { createApiKey, deleteApiKey, listApiKeys } from './api-keys.ts';
import { authenticate } from './authenticate.ts';
import { createRegistryKey, deleteRegistryKey, listRegistryKeys } from './registry-keys.ts';
import { ensureUser, getUser, issueApiKey, issueRegistryKey, setAccountHolder } from './user-directory.ts';

const gateway = ['gateway'];
const admin = ['admin'];

export const registrations = (context: Context): Registration[] => [
  implement(services.identity, {
    Authenticate: { callers: gateway, access: serviceOnly, handler: authenticate(context) },
    ListApiKeys: { callers: gateway, access: access.listOwnApiKeys, handler: listApiKeys(context) },
    CreateApiKey: { callers: gateway, access: access.createApiKey, handler: createApiKey(context) },
    DeleteApiKey: { callers: gateway, access: access.deleteApiKey, handler: deleteApiKey(context) },
    ListRegistryKeys: { callers: gateway, access: access.listRegistryKeys, handler: listRegistryKeys(context) },
    CreateRegistryKey: { callers: gateway, access: access.createRegistryKey, handler: createRegistryKey(context) },
    DeleteRegistryKey: { callers: gateway, access: access.deleteRegistryKey, handler: deleteRegistryKey(context) },
  }),
  implement(services.userDirectory, {
    EnsureUser: { callers: admin, access: serviceOnly, handler: ensureUser(context) },
    GetUser: { callers: ['rbac', 'admin'], access: serviceOnly, handler: getUser(context) },
    SetAccountHolder: { callers: admin, access: serviceOnly, handler: setAccountHolder(context) },
    IssueApiKey: { callers: admin, access: serviceOnly, handler: issueApiKey(context) },
    IssueRegistryKey: { callers: admin, access: serviceOnly, handler: issueRegistryKey(context) },
  }),
];
