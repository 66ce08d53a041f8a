import type { ReplyOf } from '@saleschannel/grpc';
import type { Clients } from '../clients.ts';
import { json } from '../http/answer.ts';
import type { Handlers } from '../http/pipeline.ts';

export const toBinding = ({ userId, salesChannelId, roles }: ReplyOf<'rbac.GetOwnBinding'>) => ({
  userId,
  salesChannelId,
  roles,
});
const toGrant = ({ userId, salesChannelId, role }: ReplyOf<'rbac.GrantRole'>) => ({ userId, salesChannelId, role });

type BindingHandlers = Pick<
  Handlers,
  'getOwnBinding' | 'getUserBinding' | 'bindUser' | 'unbindUser' | 'grantRole' | 'removeRole'
>;

/** Users, sales channels and roles. */
export const createBindingHandlers = ({ rbac }: Clients): BindingHandlers => ({
  getOwnBinding: async (_input, { call }) => json(200, toBinding(await rbac.GetOwnBinding({}, call))),
  getUserBinding: async ({ path }, { call }) => json(200, toBinding(await rbac.GetUserBinding(path, call))),
  bindUser: async ({ path }, { call }) => json(201, toBinding(await rbac.BindUser(path, call))),
  unbindUser: async ({ path }, { call }) => json(200, toBinding(await rbac.UnbindUser(path, call))),
  grantRole: async ({ path, query }, { call }) => json(201, toGrant(await rbac.GrantRole({ ...path, ...query }, call))),
  removeRole: async ({ path, query }, { call }) =>
    json(200, toGrant(await rbac.RemoveRole({ ...path, ...query }, call))),
});
