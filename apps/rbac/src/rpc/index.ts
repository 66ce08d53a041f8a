import { auditLog } from '@saleschannel/audit';
import { access, serviceOnly } from '@saleschannel/auth';
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
import { countChannelUsers, listUsers } from './users.ts';

const gateway = ['gateway'] as const;
const admin = ['admin'] as const;

export const registrations = (context: Context): Registration[] => [
  implement('rbac', context, {
    GetOwnBinding: { callers: gateway, access: access.getOwnBinding, handler: getOwnBinding },
    GetUserBinding: { callers: gateway, access: access.getUserBinding, handler: getUserBinding },
    ListUsers: { callers: gateway, access: access.listChannelUsers, handler: listUsers },
    PageOpenSalesChannels: {
      callers: gateway,
      access: access.listOpenSalesChannels,
      handler: pageOpenSalesChannels,
    },
    BindUser: { callers: gateway, access: access.bindUser, handler: bindUser },
    UnbindUser: { callers: gateway, access: access.unbindUser, handler: unbindUser },
    GrantRole: { callers: gateway, access: access.grantRole, handler: grantRole },
    RemoveRole: { callers: gateway, access: access.removeRole, handler: removeRole },
    ListInvitations: { callers: gateway, access: access.listInvitations, handler: listInvitations },
    CreateInvitation: { callers: gateway, access: access.createInvitation, handler: createInvitation },
    RevokeInvitation: { callers: gateway, access: access.revokeInvitation, handler: revokeInvitation },
    AcceptInvitation: { callers: gateway, access: access.acceptInvitation, handler: acceptInvitation },
    ReplaceSalesChannel: { callers: ['sandbox'], access: access.resetSandbox, handler: replaceSalesChannel },
  }),
  implement('bindingDirectory', context, {
    FindBinding: { callers: ['identity'], access: serviceOnly, handler: findBinding },
    GetSalesChannel: { callers: ['traders'], access: serviceOnly, handler: getSalesChannel },
    GetSalesChannels: { callers: ['inventory', 'registry-import'], access: serviceOnly, handler: getSalesChannels },
  }),
  implement('rbacAdministration', context, {
    CreateSalesChannel: { callers: admin, access: serviceOnly, handler: createSalesChannel },
    ListSalesChannels: { callers: admin, access: serviceOnly, handler: listSalesChannels },
    AssignRoles: { callers: admin, access: serviceOnly, handler: assignRoles },
    ListBindings: { callers: admin, access: serviceOnly, handler: listBindings },
    EndBinding: { callers: admin, access: serviceOnly, handler: endBinding },
    RenameSalesChannel: { callers: admin, access: serviceOnly, handler: renameSalesChannel },
    SuspendSalesChannel: { callers: admin, access: serviceOnly, handler: suspendSalesChannel },
    CloseSalesChannel: { callers: admin, access: serviceOnly, handler: closeSalesChannel },
    CountChannelUsers: { callers: admin, access: serviceOnly, handler: countChannelUsers },
    ResumeSalesChannel: { callers: admin, access: serviceOnly, handler: resumeSalesChannel },
  }),
  auditLog(context),
  implement('activity', context, {
    GetActivity: { callers: admin, access: serviceOnly, handler: getActivity },
  }),
  implement('lookUp', context, {
    LookUp: { callers: admin, access: serviceOnly, handler: lookUp },
  }),
];
