import { notFound } from '@saleschannel/errors';
import { accountHolderOf, type Rpc } from '@saleschannel/grpc';
import { idToFind } from '@saleschannel/primitives/validation';
import type { Context } from '../context.ts';
import { ACCOUNT_HOLDER_SUSPENDED, OWN_HOLDER_SUSPENDED } from '../domain/refusals.ts';
import { onramp as move, readOnramp } from '../operations/onramp.ts';
import { findById } from '../store/account-holders.ts';

export const onramp: Rpc<'registryImport.Onramp', Context> = (context) => async (request, call) => {
  const asked = readOnramp(request);
  const holder = await findById(context.database.em(), idToFind(request.accountHolderId));
  if (!holder) throw notFound();
  return move(context, { holder, asked, suspension: ACCOUNT_HOLDER_SUSPENDED }, call, (wanted) =>
    context.ledger.Onramp(wanted, { within: call, forPrincipal: true }),
  );
};

export const onrampHoldings: Rpc<'holderPortal.OnrampHoldings', Context> = (context) => async (request, call) => {
  const asked = readOnramp(request);
  const holder = await findById(context.database.em(), accountHolderOf(call));
  if (!holder) throw notFound();
  return move(context, { holder, asked, suspension: OWN_HOLDER_SUSPENDED }, call, (wanted) =>
    context.holdings.OnrampHoldings(wanted, { within: call, forPrincipal: true }),
  );
};
