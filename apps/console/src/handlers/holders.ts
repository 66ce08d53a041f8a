import { toAccountHolder } from '@saleschannel/edge';
import type { ReplyOf } from '@saleschannel/grpc';
import { name, reason, searchText, text, MAX_TEXT_LENGTH } from '@saleschannel/primitives/validation';
import { z } from 'zod';
import { type Context, operation, type Operations } from '../http/operation.ts';
import { holderKind, lineText, findNext, page, requireSearched, status } from '../http/forms.ts';

const part = text({ max: MAX_TEXT_LENGTH });
const newHolder = z.strictObject({
  name,
  businessId: name,
  address: z.strictObject({
    postalCode: part,
    city: part,
    country: part,
    street1: part,
    street2: part.optional(),
  }),
  autoApproval: z.boolean().default(true),
});

const toHolder = (holder: ReplyOf<'accountHolderDirectory.EnsureAccountHolder'>) => ({
  ...toAccountHolder(holder),
  suspendedAt: holder.suspendedAt ?? null,
  suspendedReason: holder.suspendedReason ?? null,
});

export const holders = ({ operatorClients: { accountHolders, directory } }: Context) =>
  ({
    listHolders: operation('listHolders')({
      query: z.strictObject({
        businessId: lineText.optional(),
        nameContains: searchText.optional(),
        kind: holderKind.optional(),
        status: status.optional(),
        ...page,
      }),
      async handle({ query: { nameContains: namePart, ...query } }, { call }) {
        const filter = namePart === undefined ? query : { ...query, namePart };
        const { accountHolders: found, searched } = await accountHolders.FindAccountHolders(filter, call);
        requireSearched(namePart, { searched });
        const ids = found.map(({ accountHolderId }) => accountHolderId);
        return { items: found.map(toHolder), next: findNext(ids, query) };
      },
    }),
    createHolder: operation('createHolder')({
      body: newHolder,
      handle: async ({ body: content }, { call }) => toHolder(await directory.EnsureAccountHolder({ content }, call)),
    }),
    setHolderKind: operation('setHolderKind')({
      body: z.strictObject({ kind: holderKind }),
      handle: async ({ path: { accountHolderId }, body: { kind } }, { call }) =>
        toHolder(await accountHolders.SetKind({ accountHolderId, kind }, call)),
    }),
    suspendHolder: operation('suspendHolder')({
      body: z.strictObject({ reason }),
      handle: async ({ path: { accountHolderId }, body }, { call }) =>
        toHolder(await accountHolders.SuspendAccountHolder({ accountHolderId, ...body }, call)),
    }),
    resumeHolder: operation('resumeHolder')({
      handle: async ({ path }, { call }) => toHolder(await accountHolders.ResumeAccountHolder(path, call)),
    }),
  }) satisfies Partial<Operations>;
