import { actorOf } from '@saleschannel/audit';
import { notFound } from '@saleschannel/errors';
import type { Rpc } from '@saleschannel/grpc';
import { answerOnce } from '@saleschannel/idempotency';
import { idToFind, parameters, parse } from '@saleschannel/primitives/validation';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { role } from '../domain/binding.ts';
import { assignRoles as assign } from '../operations/change-binding.ts';
import { userExists } from '../neighbours/users.ts';

const requestSchema = z.object({ userId: z.string(), salesChannelId: z.string(), roles: z.array(role) });
const place = parameters({ roles: 'roles' });

export const assignRoles: Rpc<'rbacAdministration.AssignRoles', Context> =
  ({ database, identity }) =>
  async (request, call) => {
    const { roles, ...named } = parse(requestSchema, request, 'The roles are not valid.', place);
    const target = { userId: idToFind(named.userId), salesChannelId: idToFind(named.salesChannelId) };
    if (!(await userExists(identity, target.userId, call))) throw notFound();
    return answerOnce(
      'rbacAdministration.AssignRoles',
      { database, call, request },
      (transactional) => assign(transactional, target, roles, actorOf(call)),
      (binding) => binding,
    );
  };
