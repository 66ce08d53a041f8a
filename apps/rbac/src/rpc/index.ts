import { auditLog } from '@saleschannel/audit';
import { accessRules, serviceOnlyRule } from '@saleschannel/auth';
import { implement, type Registration } from '@saleschannel/grpc';
import type { Context } from '../context.ts';
import {
  assignRoles,
  bindUser,
  endBinding,
  findBinding,
  getOwnBinding,
  getUserBinding,
  grantRole,
  listBindings,
  removeRole,
  unbindUser,
  countChannelUsers,
  listUsers,
} from './bindings.ts';
import { acceptInvitation, createInvitation, listInvitations, revokeInvitation } from './invitations.ts';
import { getActivity, lookUp } from './operator.ts';
import {
  closeSalesChannel,
  createSalesChannel,
  getSalesChannel,
  getSalesChannels,
  listSalesChannels,
  pageOpenSalesChannels,
  renameSalesChannel,
  replaceSalesChannel,
  resumeSalesChannel,
  suspendSalesChannel,
} from './sales-channels.ts';

const gateway = ['gateway'] as const;
const admin = ['admin'] as const;

export const createRegistrations = (context: Context): Registration[] => [
  implement('rbac', context, {
    GetOwnBinding: { callers: gateway, access: accessRules.getOwnBinding, handler: getOwnBinding },
    GetUserBinding: { callers: gateway, access: accessRules.getUserBinding, handler: getUserBinding },
    ListUsers: { callers: gateway, access: accessRules.listChannelUsers, handler: listUsers },
    PageOpenSalesChannels: {
      callers: gateway,
      access: accessRules.listOpenSalesChannels,
      handler: pageOpenSalesChannels,
    },
    BindUser: { callers: gateway, access: accessRules.bindUser, handler: bindUser },
    UnbindUser: { callers: gateway, access: accessRules.unbindUser, handler: unbindUser },
    GrantRole: { callers: gateway, access: accessRules.grantRole, handler: grantRole },
    RemoveRole: { callers: gateway, access: accessRules.removeRole, handler: removeRole },
    ListInvitations: { callers: gateway, access: accessRules.listInvitations, handler: listInvitations },
    CreateInvitation: { callers: gateway, access: accessRules.createInvitation, handler: createInvitation },
    RevokeInvitation: { callers: gateway, access: accessRules.revokeInvitation, handler: revokeInvitation },
    AcceptInvitation: { callers: gateway, access: accessRules.acceptInvitation, handler: acceptInvitation },
    ReplaceSalesChannel: { callers: ['sandbox'], access: accessRules.resetSandbox, handler: replaceSalesChannel },
  }),
  implement('bindingDirectory', context, {
    FindBinding: { callers: ['identity'], access: serviceOnlyRule, handler: findBinding },
    GetSalesChannel: { callers: ['traders'], access: serviceOnlyRule, handler: getSalesChannel },
    GetSalesChannels: { callers: ['inventory', 'registry-import'], access: serviceOnlyRule, handler: getSalesChannels },
  }),
  implement('rbacAdministration', context, {
    CreateSalesChannel: { callers: admin, access: serviceOnlyRule, handler: createSalesChannel },
    ListSalesChannels: { callers: admin, access: serviceOnlyRule, handler: listSalesChannels },
    AssignRoles: { callers: admin, access: serviceOnlyRule, handler: assignRoles },
    ListBindings: { callers: admin, access: serviceOnlyRule, handler: listBindings },
    EndBinding: { callers: admin, access: serviceOnlyRule, handler: endBinding },
    RenameSalesChannel: { callers: admin, access: serviceOnlyRule, handler: renameSalesChannel },
    SuspendSalesChannel: { callers: admin, access: serviceOnlyRule, handler: suspendSalesChannel },
    CloseSalesChannel: { callers: admin, access: serviceOnlyRule, handler: closeSalesChannel },
    CountChannelUsers: { callers: admin, access: serviceOnlyRule, handler: countChannelUsers },
    ResumeSalesChannel: { callers: admin, access: serviceOnlyRule, handler: resumeSalesChannel },
  }),
  auditLog(context),
  implement('activity', context, {
    GetActivity: { callers: admin, access: serviceOnlyRule, handler: getActivity },
  }),
  implement('lookUp', context, {
    LookUp: { callers: admin, access: serviceOnlyRule, handler: lookUp },
  }),
];
