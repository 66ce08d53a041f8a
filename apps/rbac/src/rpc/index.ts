import { access, serviceOnly } from '@saleschannel/auth';
import { services } from '@saleschannel/contracts';
import { implement, type Registration } from '@saleschannel/grpc';
import type { Context } from '../context.ts';
import { assignRoles, createSalesChannel, listSalesChannels } from './administration.ts';
import { getSalesChannel, readBinding } from './binding-directory.ts';
import { bindUser, getOwnBinding, getUserBinding, grantRole, removeRole, unbindUser } from './bindings.ts';

const gateway = ['gateway'];
const admin = ['admin'];

export const registrations = (context: Context): Registration[] => [
  implement(services.rbac, {
    GetOwnBinding: { callers: gateway, access: access.getOwnBinding, handler: getOwnBinding(context) },
    GetUserBinding: { callers: gateway, access: access.getUserBinding, handler: getUserBinding(context) },
    BindUser: { callers: gateway, access: access.bindUser, handler: bindUser(context) },
    UnbindUser: { callers: gateway, access: access.unbindUser, handler: unbindUser(context) },
    GrantRole: { callers: gateway, access: access.grantRole, handler: grantRole(context) },
    RemoveRole: { callers: gateway, access: access.removeRole, handler: removeRole(context) },
  }),
  implement(services.bindingDirectory, {
    ReadBinding: { callers: ['identity'], access: serviceOnly, handler: readBinding(context) },
    GetSalesChannel: {
      callers: ['traders', 'registry-import', 'inventory', 'admin'],
      access: serviceOnly,
      handler: getSalesChannel(context),
    },
  }),
  implement(services.rbacAdministration, {
    CreateSalesChannel: { callers: admin, access: serviceOnly, handler: createSalesChannel(context) },
    ListSalesChannels: { callers: admin, access: serviceOnly, handler: listSalesChannels(context) },
    AssignRoles: { callers: admin, access: serviceOnly, handler: assignRoles(context) },
  }),
];
