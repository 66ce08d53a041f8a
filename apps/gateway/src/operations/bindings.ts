import type { Binding__Output } from '@saleschannel/contracts/gen/rbac/v1/Binding';
import type { RoleResponse__Output } from '@saleschannel/contracts/gen/rbac/v1/RoleResponse';
import type { Clients } from '../clients.ts';
import { json } from '../http/answer.ts';
import type { Exchange } from '../http/exchange.ts';
import type { Handler } from '../http/pipeline.ts';

const bindingOf = ({ userId, salesChannelId, roles }: Binding__Output) => ({ userId, salesChannelId, roles });
const roleOf = ({ userId, salesChannelId, role }: RoleResponse__Output) => ({ userId, salesChannelId, role });

const bindingRequest = ({ path }: Exchange) => ({
  userId: path['userId'] ?? '',
  salesChannelId: path['salesChannelId'] ?? '',
});
const roleRequest = (exchange: Exchange) => ({ ...bindingRequest(exchange), role: exchange.query['role'] as string });

/** Users, sales channels and roles. */
export const bindings = ({ rbac }: Clients) =>
  ({
    getOwnBinding: async ({ call }) => json(200, bindingOf(await rbac.GetOwnBinding({}, call))),
    getUserBinding: async ({ call, path }) =>
      json(200, bindingOf(await rbac.GetUserBinding({ userId: path['userId'] ?? '' }, call))),
    bindUser: async (exchange) => json(201, bindingOf(await rbac.BindUser(bindingRequest(exchange), exchange.call))),
    unbindUser: async (exchange) =>
      json(200, bindingOf(await rbac.UnbindUser(bindingRequest(exchange), exchange.call))),
    grantRole: async (exchange) => json(201, roleOf(await rbac.GrantRole(roleRequest(exchange), exchange.call))),
    removeRole: async (exchange) => json(200, roleOf(await rbac.RemoveRole(roleRequest(exchange), exchange.call))),
  }) satisfies Record<string, Handler>;
