import { auditLog } from '@saleschannel/audit';
import { access, serviceOnly } from '@saleschannel/auth';
import { implement, type Registration } from '@saleschannel/grpc';
import type { Context } from '../context.ts';
import { createApiKey, deleteApiKey, issueApiKey, listApiKeys } from './api-keys.ts';
import { authenticate } from './authentication.ts';
import { listKeyDetails, listKeys, nameKey, revokeKey, revokeUserKeys } from './keys.ts';
import { getActivity, lookUp } from './operator.ts';
import { createRegistryKey, deleteRegistryKey, issueRegistryKey, listRegistryKeys } from './registry-keys.ts';
import {
  addSessionToken,
  beginSession,
  checkSession,
  endOwnSessions,
  endProviderSessions,
  endSession,
  endUserSessions,
  listOwnSessions,
  listUserSessions,
} from './sessions.ts';
import {
  disableUser,
  enableUser,
  ensureUser,
  getMe,
  getUser,
  getUsers,
  introduceUser,
  listUsers,
  setAccountHolder,
} from './users.ts';

const gateway = ['gateway'] as const;
const admin = ['admin'] as const;
/** The console calls as `admin`. */
const pages = ['portal', 'admin'] as const;
/** In a sandbox, the sandbox service acts as a registry. */
const operators = ({ isSandbox }: Context) => (isSandbox ? (['admin', 'sandbox'] as const) : admin);

export const registrations = (context: Context): Registration[] => [
  implement('identity', context, {
    Authenticate: { callers: gateway, access: serviceOnly, handler: authenticate },
    ListApiKeys: { callers: gateway, access: access.listOwnApiKeys, handler: listApiKeys },
    CreateApiKey: { callers: gateway, access: access.createApiKey, handler: createApiKey },
    DeleteApiKey: { callers: gateway, access: access.deleteApiKey, handler: deleteApiKey },
    ListRegistryKeys: { callers: gateway, access: access.listRegistryKeys, handler: listRegistryKeys },
    CreateRegistryKey: { callers: gateway, access: access.createRegistryKey, handler: createRegistryKey },
    DeleteRegistryKey: { callers: gateway, access: access.deleteRegistryKey, handler: deleteRegistryKey },
    GetMe: { callers: gateway, access: access.getMe, handler: getMe },
    ListKeyDetails: { callers: gateway, access: access.listKeyDetails, handler: listKeyDetails },
    NameKey: { callers: gateway, access: access.nameKey, handler: nameKey },
    IntroduceUser: { callers: gateway, access: access.ensureUser, handler: introduceUser },
    ListOwnSessions: { callers: gateway, access: access.listOwnSessions, handler: listOwnSessions },
    EndOwnSessions: { callers: gateway, access: access.endOwnSessions, handler: endOwnSessions },
  }),
  implement('userDirectory', context, {
    EnsureUser: { callers: admin, access: serviceOnly, handler: ensureUser },
    GetUser: { callers: ['rbac'], access: serviceOnly, handler: getUser },
    GetUsers: { callers: ['rbac'], access: serviceOnly, handler: getUsers },
    SetAccountHolder: { callers: admin, access: serviceOnly, handler: setAccountHolder },
    IssueApiKey: { callers: admin, access: serviceOnly, handler: issueApiKey },
    IssueRegistryKey: { callers: operators(context), access: serviceOnly, handler: issueRegistryKey },
  }),
  implement('sessions', context, {
    BeginSession: { callers: pages, access: serviceOnly, handler: beginSession },
    AddSessionToken: { callers: pages, access: serviceOnly, handler: addSessionToken },
    CheckSession: { callers: pages, access: serviceOnly, handler: checkSession },
    EndSession: { callers: pages, access: serviceOnly, handler: endSession },
    EndProviderSessions: { callers: pages, access: serviceOnly, handler: endProviderSessions },
  }),
  auditLog(context),
  implement('identityAdministration', context, {
    ListUsers: { callers: admin, access: serviceOnly, handler: listUsers },
    ListKeys: { callers: admin, access: serviceOnly, handler: listKeys },
    RevokeKey: { callers: admin, access: serviceOnly, handler: revokeKey },
    RevokeUserKeys: { callers: admin, access: serviceOnly, handler: revokeUserKeys },
    DisableUser: { callers: admin, access: serviceOnly, handler: disableUser },
    EnableUser: { callers: admin, access: serviceOnly, handler: enableUser },
    ListUserSessions: { callers: admin, access: serviceOnly, handler: listUserSessions },
    EndUserSessions: { callers: admin, access: serviceOnly, handler: endUserSessions },
  }),
  implement('activity', context, {
    GetActivity: { callers: admin, access: serviceOnly, handler: getActivity },
  }),
  implement('lookUp', context, {
    LookUp: { callers: admin, access: serviceOnly, handler: lookUp },
  }),
];
