import { auditLog } from '@saleschannel/audit';
import { access, serviceOnly } from '@saleschannel/auth';
import { implement, type Registration } from '@saleschannel/grpc';
import type { Context } from '../context.ts';
import { acceptInvitation } from './accept-invitation.ts';
import { assignRoles } from './assign-roles.ts';
import { bindUser } from './bind-user.ts';
import { closeSalesChannel } from './close-sales-channel.ts';
import { countChannelUsers } from './count-channel-users.ts';
import { createInvitation } from './create-invitation.ts';
import { createSalesChannel } from './create-sales-channel.ts';
import { endBinding } from './end-binding.ts';
import { findBinding } from './find-binding.ts';
import { getActivity } from './get-activity.ts';
import { getOwnBinding } from './get-own-binding.ts';
import { getSalesChannel } from './get-sales-channel.ts';
import { getSalesChannels } from './get-sales-channels.ts';
import { getUserBinding } from './get-user-binding.ts';
import { grantRole } from './grant-role.ts';
import { listBindings } from './list-bindings.ts';
import { listInvitations } from './list-invitations.ts';
import { listSalesChannels } from './list-sales-channels.ts';
import { listUsers } from './list-users.ts';
import { lookUp } from './look-up.ts';
import { pageOpenSalesChannels } from './page-open-sales-channels.ts';
import { removeRole } from './remove-role.ts';
import { replaceSalesChannel } from './replace-sales-channel.ts';
import { resumeSalesChannel } from './resume-sales-channel.ts';
import { revokeInvitation } from './revoke-invitation.ts';
import { renameSalesChannel } from './rename-sales-channel.ts';
import { suspendSalesChannel } from './suspend-sales-channel.ts';
import { unbindUser } from './unbind-user.ts';

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
