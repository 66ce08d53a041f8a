import { auditLog } from '@saleschannel/audit';
import { access, serviceOnly } from '@saleschannel/auth';
import { implement, type Registration } from '@saleschannel/grpc';
import type { Context } from '../context.ts';
import { assignRoles } from './assign-roles.ts';
import { bindUser } from './bind-user.ts';
import { createSalesChannel } from './create-sales-channel.ts';
import { findBinding } from './find-binding.ts';
import { getOwnBinding } from './get-own-binding.ts';
import { getSalesChannel } from './get-sales-channel.ts';
import { getUserBinding } from './get-user-binding.ts';
import { grantRole } from './grant-role.ts';
import { listSalesChannels } from './list-sales-channels.ts';
import { removeRole } from './remove-role.ts';
import { unbindUser } from './unbind-user.ts';

const gateway = ['gateway'] as const;
const admin = ['admin'] as const;

export const registrations = (context: Context): Registration[] => [
  implement('rbac', context, {
    GetOwnBinding: { callers: gateway, access: access.getOwnBinding, handler: getOwnBinding },
    GetUserBinding: { callers: gateway, access: access.getUserBinding, handler: getUserBinding },
    BindUser: { callers: gateway, access: access.bindUser, handler: bindUser },
    UnbindUser: { callers: gateway, access: access.unbindUser, handler: unbindUser },
    GrantRole: { callers: gateway, access: access.grantRole, handler: grantRole },
    RemoveRole: { callers: gateway, access: access.removeRole, handler: removeRole },
  }),
  implement('bindingDirectory', context, {
    FindBinding: { callers: ['identity'], access: serviceOnly, handler: findBinding },
    GetSalesChannel: { callers: ['traders'], access: serviceOnly, handler: getSalesChannel },
  }),
  implement('rbacAdministration', context, {
    CreateSalesChannel: { callers: admin, access: serviceOnly, handler: createSalesChannel },
    ListSalesChannels: { callers: admin, access: serviceOnly, handler: listSalesChannels },
    AssignRoles: { callers: admin, access: serviceOnly, handler: assignRoles },
  }),
  auditLog(context),
];
