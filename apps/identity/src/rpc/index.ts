import { auditLog } from '@saleschannel/audit';
import { accessRules, serviceOnlyRule } from '@saleschannel/auth';
import { implement, type Registration } from '@saleschannel/grpc';
import type { Context } from '../context.ts';
import { authenticate } from './authentication.ts';
import {
  createApiKey,
  createRegistryKey,
  deleteApiKey,
  deleteRegistryKey,
  issueApiKey,
  issueRegistryKey,
  listApiKeys,
  listKeyDetails,
  listKeys,
  listRegistryKeys,
  nameKey,
  revokeKey,
  revokeUserKeys,
} from './keys.ts';
import { getActivity, lookUp } from './operator.ts';
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

export const createRegistrations = (context: Context): Registration[] => [
  implement('identity', context, {
    Authenticate: { callers: gateway, access: serviceOnlyRule, handler: authenticate },
    ListApiKeys: { callers: gateway, access: accessRules.listOwnApiKeys, handler: listApiKeys },
    CreateApiKey: { callers: gateway, access: accessRules.createApiKey, handler: createApiKey },
    DeleteApiKey: { callers: gateway, access: accessRules.deleteApiKey, handler: deleteApiKey },
    ListRegistryKeys: { callers: gateway, access: accessRules.listRegistryKeys, handler: listRegistryKeys },
    CreateRegistryKey: { callers: gateway, access: accessRules.createRegistryKey, handler: createRegistryKey },
    DeleteRegistryKey: { callers: gateway, access: accessRules.deleteRegistryKey, handler: deleteRegistryKey },
    GetMe: { callers: gateway, access: accessRules.getMe, handler: getMe },
    ListKeyDetails: { callers: gateway, access: accessRules.listKeyDetails, handler: listKeyDetails },
    NameKey: { callers: gateway, access: accessRules.nameKey, handler: nameKey },
    IntroduceUser: { callers: gateway, access: accessRules.ensureUser, handler: introduceUser },
    ListOwnSessions: { callers: gateway, access: accessRules.listOwnSessions, handler: listOwnSessions },
    EndOwnSessions: { callers: gateway, access: accessRules.endOwnSessions, handler: endOwnSessions },
  }),
  implement('userDirectory', context, {
    EnsureUser: { callers: admin, access: serviceOnlyRule, handler: ensureUser },
    GetUser: { callers: ['rbac'], access: serviceOnlyRule, handler: getUser },
    GetUsers: { callers: ['rbac'], access: serviceOnlyRule, handler: getUsers },
    SetAccountHolder: { callers: admin, access: serviceOnlyRule, handler: setAccountHolder },
    IssueApiKey: { callers: admin, access: serviceOnlyRule, handler: issueApiKey },
    IssueRegistryKey: { callers: operators(context), access: serviceOnlyRule, handler: issueRegistryKey },
  }),
  implement('sessions', context, {
    BeginSession: { callers: pages, access: serviceOnlyRule, handler: beginSession },
    AddSessionToken: { callers: pages, access: serviceOnlyRule, handler: addSessionToken },
    CheckSession: { callers: pages, access: serviceOnlyRule, handler: checkSession },
    EndSession: { callers: pages, access: serviceOnlyRule, handler: endSession },
    EndProviderSessions: { callers: pages, access: serviceOnlyRule, handler: endProviderSessions },
  }),
  auditLog(context),
  implement('identityAdministration', context, {
    ListUsers: { callers: admin, access: serviceOnlyRule, handler: listUsers },
    ListKeys: { callers: admin, access: serviceOnlyRule, handler: listKeys },
    RevokeKey: { callers: admin, access: serviceOnlyRule, handler: revokeKey },
    RevokeUserKeys: { callers: admin, access: serviceOnlyRule, handler: revokeUserKeys },
    DisableUser: { callers: admin, access: serviceOnlyRule, handler: disableUser },
    EnableUser: { callers: admin, access: serviceOnlyRule, handler: enableUser },
    ListUserSessions: { callers: admin, access: serviceOnlyRule, handler: listUserSessions },
    EndUserSessions: { callers: admin, access: serviceOnlyRule, handler: endUserSessions },
  }),
  implement('activity', context, {
    GetActivity: { callers: admin, access: serviceOnlyRule, handler: getActivity },
  }),
  implement('lookUp', context, {
    LookUp: { callers: admin, access: serviceOnlyRule, handler: lookUp },
  }),
];
