import type { Binding as BindingMessage } from '@saleschannel/contracts/gen/rbac/v1/Binding';
import type { BindingRequest__Output } from '@saleschannel/contracts/gen/rbac/v1/BindingRequest';
import type { GetUserBindingRequest__Output } from '@saleschannel/contracts/gen/rbac/v1/GetUserBindingRequest';
import type { RoleRequest__Output } from '@saleschannel/contracts/gen/rbac/v1/RoleRequest';
import type { RoleResponse } from '@saleschannel/contracts/gen/rbac/v1/RoleResponse';
import { forbidden, notFound } from '@saleschannel/errors';
import { salesChannelOf, userOf, type Call } from '@saleschannel/grpc';
import { isId } from '@saleschannel/primitives';
import type { Context } from '../context.ts';
import { roleOf, type Binding } from '../domain/binding.ts';
import {
  bindUser as bind,
  grantRole as grant,
  removeRole as remove,
  unbindUser as unbind,
} from '../operations/change-binding.ts';
import { findBinding } from '../store/bindings.ts';
import { checkId, userExists } from './users.ts';

export const bindingMessage = ({ userId, salesChannelId, roles }: Binding): BindingMessage => ({
  userId,
  salesChannelId,
  roles: [...roles],
});

/** The caller's own channel, when it is the one that the request names; of any other he learns nothing. */
function ownChannel(
  call: Call,
  { userId, salesChannelId }: BindingRequest__Output,
): { userId: string; salesChannelId: string } {
  if (salesChannelOf(call) !== salesChannelId) throw notFound();
  checkId(userId);
  return { userId, salesChannelId };
}

export const getOwnBinding =
  (context: Context) =>
  async (_request: object, call: Call): Promise<BindingMessage> => {
    const binding = await findBinding(context.database.em(), userOf(call).userId);
    if (!binding) throw notFound();
    return bindingMessage(binding);
  };

export const getUserBinding =
  (context: Context) =>
  async ({ userId }: GetUserBindingRequest__Output, call: Call): Promise<BindingMessage> => {
    const caller = userOf(call);
    if (userId === caller.userId) return getOwnBinding(context)({}, call);
    if (caller.salesChannelId === undefined || !caller.roles.includes('ROLE_ADMINISTRATOR')) throw forbidden();
    const binding = isId(userId) ? await findBinding(context.database.em(), userId) : undefined;
    if (binding?.salesChannelId !== caller.salesChannelId) throw notFound();
    return bindingMessage(binding);
  };

export const bindUser =
  (context: Context) =>
  async (request: BindingRequest__Output, call: Call): Promise<BindingMessage> => {
    const target = ownChannel(call, request);
    // Both are asked in every case, so that the time of the answer does not tell an unknown user from another channel's.
    const [exists, bound] = await Promise.all([
      userExists(context, target.userId, call),
      findBinding(context.database.em(), target.userId),
    ]);
    if (!exists || (bound && bound.salesChannelId !== target.salesChannelId)) throw notFound();
    return bindingMessage(await bind(context, target));
  };

export const unbindUser =
  (context: Context) =>
  async (request: BindingRequest__Output, call: Call): Promise<BindingMessage> =>
    bindingMessage(await unbind(context, ownChannel(call, request)));

export const grantRole =
  (context: Context) =>
  async (request: RoleRequest__Output, call: Call): Promise<RoleResponse> => {
    const role = roleOf(request.role, 'role');
    const target = ownChannel(call, request);
    await grant(context, target, role);
    return { ...target, role };
  };

export const removeRole =
  (context: Context) =>
  async (request: RoleRequest__Output, call: Call): Promise<RoleResponse> => {
    const role = roleOf(request.role, 'role');
    const target = ownChannel(call, request);
    await remove(context, target, role);
    return { ...target, role };
  };
