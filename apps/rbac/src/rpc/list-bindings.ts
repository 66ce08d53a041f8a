import type { Rpc } from '@saleschannel/grpc';
import { id, operatorPage, parameters, parse } from '@saleschannel/primitives/validation';
import type { Context } from '../context.ts';
import { role } from '../domain/binding.ts';
import { listBindings as list } from '../store/bindings.ts';

const requestSchema = operatorPage.extend({
  salesChannelId: id.optional(),
  userId: id.optional(),
  role: role.optional(),
});
const place = parameters({
  limit: 'limit',
  after: 'after',
  salesChannelId: 'salesChannelId',
  userId: 'userId',
  role: 'role',
});

export const listBindings: Rpc<'rbacAdministration.ListBindings', Context> =
  ({ database }) =>
  async (request) => ({
    bindings: await list(database.em(), parse(requestSchema, request, 'The bindings cannot be listed.', place)),
  });
