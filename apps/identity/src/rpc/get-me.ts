import { notFound } from '@saleschannel/errors';
import { userOf, type Rpc } from '@saleschannel/grpc';
import type { Context } from '../context.ts';
import { findAccountHolder } from '../neighbours/account-holders.ts';
import { findBinding } from '../neighbours/rights.ts';
import { findUser } from '../store/users.ts';

/** Asked afresh, so that whoever was just bound sees it. */
export const getMe: Rpc<'identity.GetMe', Context> = (context) => async (_request, call) => {
  const { userId } = userOf(call);
  const user = await findUser(context.database.em(), userId);
  if (!user) throw notFound();
  const { issuer, subject, accountHolderId, email, name } = user;
  const [{ binding, salesChannel }, accountHolder] = await Promise.all([
    findBinding(context, userId, call),
    accountHolderId === null ? undefined : findAccountHolder(context, accountHolderId, call),
  ]);
  return {
    userId,
    issuer,
    subject,
    ...(email === null ? {} : { email }),
    ...(name === null ? {} : { name }),
    salesChannel,
    roles: binding?.roles ?? [],
    accountHolder,
  };
};
