import type { ReplyOf } from '@saleschannel/grpc';
import { id } from '@saleschannel/primitives/validation';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { findNext, page } from '../http/forms.ts';
import { operation, type Operations } from '../http/operation.ts';

const toKey = (key: ReplyOf<'identityAdministration.ListKeys'>['keys'][number]) => ({
  id: key.id,
  kind: key.kind,
  userId: key.userId ?? null,
  accountHolderId: key.accountHolderId ?? null,
  madeWithKeyId: key.madeWithKeyId ?? null,
  createdOn: key.createdOn,
  expiresAt: key.expiresAt,
});

export const keys = ({
  operatorClients: { identity },
}: Context): Pick<Operations, 'listKeys' | 'revokeKey' | 'revokeUserKeys'> => ({
  listKeys: operation('listKeys')({
    query: z.strictObject({
      userId: id.optional(),
      accountHolderId: id.optional(),
      madeWithKeyId: id.optional(),
      ...page,
    }),
    async handle({ query }, { call }) {
      const { keys: found } = await identity.ListKeys(query, call);
      const ids = found.map((key) => key.id);
      return { items: found.map(toKey), next: findNext(ids, query) };
    },
  }),
  revokeKey: operation('revokeKey')({
    async handle({ path: { keyId } }, { call }) {
      const { keyIds } = await identity.RevokeKey({ keyId }, call);
      return { keyIds };
    },
  }),
  revokeUserKeys: operation('revokeUserKeys')({
    async handle({ path: { userId } }, { call }) {
      const { keyIds } = await identity.RevokeUserKeys({ userId }, call);
      return { keyIds };
    },
  }),
});
