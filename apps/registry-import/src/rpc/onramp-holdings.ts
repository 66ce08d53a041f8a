import { notFound } from '@saleschannel/errors';
import { accountHolderOf, type Rpc } from '@saleschannel/grpc';
import type { Context } from '../context.ts';
import { OWN_HOLDER_SUSPENDED } from '../domain/refusals.ts';
import { onramp, readOnramp } from '../operations/onramp.ts';
import { findById } from '../store/account-holders.ts';

export const onrampHoldings: Rpc<'holderPortal.OnrampHoldings', Context> = (context) => async (request, call) => {
  const asked = readOnramp(request);
  const holder = await findById(context.database.em(), accountHolderOf(call));
  if (!holder) throw notFound();
  return onramp(context, { holder, asked, suspension: OWN_HOLDER_SUSPENDED }, call, (wanted) =>
    context.holdings.OnrampHoldings(wanted, { within: call, forPrincipal: true }),
  );
};
