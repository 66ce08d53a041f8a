import type { ReplyOf } from '@saleschannel/grpc';
import type { Clients } from '../clients.ts';
import { createJsonAnswer } from '../http/answer.ts';
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
  getOwnBinding: async (_input, { callOptions }) =>
    createJsonAnswer(200, toBinding(await rbac.GetOwnBinding({}, callOptions))),
  getUserBinding: async ({ path }, { callOptions }) =>
    createJsonAnswer(200, toBinding(await rbac.GetUserBinding(path, callOptions))),
  bindUser: async ({ path }, { callOptions }) =>
    createJsonAnswer(201, toBinding(await rbac.BindUser(path, callOptions))),
  unbindUser: async ({ path }, { callOptions }) =>
    createJsonAnswer(200, toBinding(await rbac.UnbindUser(path, callOptions))),
  grantRole: async ({ path, query }, { callOptions }) =>
    createJsonAnswer(201, toGrant(await rbac.GrantRole({ ...path, ...query }, callOptions))),
  removeRole: async ({ path, query }, { callOptions }) =>
    createJsonAnswer(200, toGrant(await rbac.RemoveRole({ ...path, ...query }, callOptions))),
});
