import { actorOf } from '@saleschannel/audit';
import { accessRules, isAllowed } from '@saleschannel/auth';
import { forbidden, notFound } from '@saleschannel/errors';
import { lookUpOwnerOf, salesChannelOf, userOf, type Rpc } from '@saleschannel/grpc';
import { answerOnce } from '@saleschannel/idempotency';
import { isId } from '@saleschannel/primitives';
import { id, idToFind, operatorPage, parameters, parse } from '@saleschannel/primitives/validation';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { role, roleChange, parseBindingKey } from '../domain/sales-channel.ts';
import { userExists, findUsers } from '../neighbours/users.ts';
import {
  assignRoles as assign,
  bindUser as bind,
  endBinding as end,
  grantRole as grant,
  removeRole as remove,
  unbindUser as unbind,
} from '../operations/bindings.ts';
import { findBinding as loadBinding, listBindings as list, countUsers } from '../store/bindings.ts';
import { countPendingInvitations } from '../store/invitations.ts';
import { findSalesChannel } from '../store/sales-channels.ts';
import { toSalesChannelMessage } from './sales-channels.ts';

const PAGE_ROWS = 500;

/** Streams the users of the caller's channel page by page, so that memory stays flat. */
export const listUsers: Rpc<'rbac.ListUsers', Context> = ({ database, identity }) =>
  async function* (_request, call) {
    const salesChannelId = salesChannelOf(call);
    for (let after: string | undefined, more = true; more;) {
      const bindings = await list(database.em(), { limit: PAGE_ROWS, after, salesChannelId });
      const userIds = bindings.map(({ userId }) => userId);
      const users = userIds.length === 0 ? undefined : await findUsers(identity, userIds, call);
      for (const { userId, roles } of bindings) {
        const user = users?.get(userId);
        if (!user) throw new Error('identity does not know a bound user.');
        const { issuer, subject, email, name, lastSeenOn } = user;
        yield { userId, issuer, subject, email, name, lastSeenOn, roles };
      }
      after = userIds.at(-1);
      more = bindings.length === PAGE_ROWS;
    }
  };

export const countChannelUsers: Rpc<'rbacAdministration.CountChannelUsers', Context> =
  ({ database }) =>
  async (request) => {
    const id = idToFind(request.salesChannelId);
    const [channel, users, invitations] = await Promise.all([
      findSalesChannel(database.em(), id),
      countUsers(database.em(), id),
      countPendingInvitations(database.em(), id),
    ]);
    if (!channel) throw notFound();
    return { users, invitations };
  };

export const getOwnBinding: Rpc<'rbac.GetOwnBinding', Context> =
  ({ findBinding: find }) =>
  async (_request, call) => {
    const { userId } = userOf(call);
    const found = await find({ userId }, lookUpOwnerOf(call));
    if (!found) throw notFound();
    return found.binding;
  };

export const getUserBinding: Rpc<'rbac.GetUserBinding', Context> =
  ({ database }) =>
  async ({ userId }, call) => {
    const caller = userOf(call);
    if (!isAllowed(accessRules.getUserBinding, caller, userId)) throw forbidden();
    const binding = await loadBinding(database.em(), idToFind(userId));
    const isVisible = userId === caller.userId || binding?.salesChannelId === caller.salesChannelId;
    if (!binding || !isVisible) throw notFound();
    return binding;
  };

/** A user without a binding has no rights, which is not an error. */
export const findBinding: Rpc<'bindingDirectory.FindBinding', Context> =
  ({ findBinding: find }) =>
  async ({ userId }, call) => {
    const found = isId(userId) ? await find({ userId }, lookUpOwnerOf(call)) : undefined;
    return found ? { binding: found.binding, salesChannel: toSalesChannelMessage(found.salesChannel) } : {};
  };

export const bindUser: Rpc<'rbac.BindUser', Context> =
  ({ database, identity }) =>
  async (request, call) => {
    const target = parseBindingKey(salesChannelOf(call), request);
    // Both run in every case, so that the time does not reveal whether a user is unknown or another channel's.
    const [exists, binding] = await Promise.all([
      userExists(identity, target.userId, call),
      loadBinding(database.em(), target.userId),
    ]);
    if (!exists || (binding && binding.salesChannelId !== target.salesChannelId)) throw notFound();
    return answerOnce(
      'rbac.BindUser',
      { database, call, request },
      (transactional) => bind(transactional, target, actorOf(call)),
      (binding) => binding,
    );
  };

export const unbindUser: Rpc<'rbac.UnbindUser', Context> =
  ({ database }) =>
  async (request, call) =>
    unbind(database, parseBindingKey(salesChannelOf(call), request), actorOf(call));

const roleParameter = parameters({ role: 'role' });

export const grantRole: Rpc<'rbac.GrantRole', Context> =
  ({ database }) =>
  async (request, call) => {
    const ownChannelId = salesChannelOf(call);
    const { role, ...named } = parse(roleChange, request, 'The role is not valid.', roleParameter);
    const target = parseBindingKey(ownChannelId, named);
    return answerOnce(
      'rbac.GrantRole',
      { database, call, request },
      (transactional) => grant(transactional, target, role, actorOf(call)),
      () => ({ ...target, role }),
    );
  };

export const removeRole: Rpc<'rbac.RemoveRole', Context> =
  ({ database }) =>
  async (request, call) => {
    const ownChannelId = salesChannelOf(call);
    const { role, ...named } = parse(roleChange, request, 'The role is not valid.', roleParameter);
    const target = parseBindingKey(ownChannelId, named);
    await remove(database, target, role, actorOf(call));
    return { ...target, role };
  };

const assignRolesRequest = z.object({ userId: z.string(), salesChannelId: z.string(), roles: z.array(role) });
const assignRolesParameters = parameters({ roles: 'roles' });

export const assignRoles: Rpc<'rbacAdministration.AssignRoles', Context> =
  ({ database, identity }) =>
  async (request, call) => {
    const { roles, ...named } = parse(assignRolesRequest, request, 'The roles are not valid.', assignRolesParameters);
    const target = { userId: idToFind(named.userId), salesChannelId: idToFind(named.salesChannelId) };
    if (!(await userExists(identity, target.userId, call))) throw notFound();
    return answerOnce(
      'rbacAdministration.AssignRoles',
      { database, call, request },
      (transactional) => assign(transactional, target, roles, actorOf(call)),
      (binding) => binding,
    );
  };

const listBindingsRequest = operatorPage.extend({
  salesChannelId: id.optional(),
  userId: id.optional(),
  role: role.optional(),
});
const listBindingsParameters = parameters({
  limit: 'limit',
  after: 'after',
  salesChannelId: 'salesChannelId',
  userId: 'userId',
  role: 'role',
});

export const listBindings: Rpc<'rbacAdministration.ListBindings', Context> =
  ({ database }) =>
  async (request) => ({
    bindings: await list(
      database.em(),
      parse(listBindingsRequest, request, 'The bindings cannot be listed.', listBindingsParameters),
    ),
  });

export const endBinding: Rpc<'rbacAdministration.EndBinding', Context> =
  ({ database, logger }) =>
  async ({ userId }, call) => {
    const ended = await end(database, idToFind(userId), actorOf(call));
    if (!ended) return {};
    logger.info({ userId, salesChannelId: ended.binding.salesChannelId }, 'binding ended by the operator');
    return ended;
  };
