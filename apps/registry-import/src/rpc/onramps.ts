import { notFound } from '@saleschannel/errors';
import { accountHolderOf, type Rpc } from '@saleschannel/grpc';
import { idToFind } from '@saleschannel/primitives/validation';
import type { Context } from '../context.ts';
import { ACCOUNT_HOLDER_SUSPENDED, OWN_HOLDER_SUSPENDED } from '../domain/refusals.ts';
import { onramp as move, readOnramp } from '../operations/onramp.ts';
import { findById } from '../store/account-holders.ts';

export const onramp: Rpc<'registryImport.Onramp', Context> = (context) => async (message, call) => {
  const selection = readOnramp(message);
  const holder = await findById(context.database.em(), idToFind(message.accountHolderId));
  if (!holder) throw notFound();
  return move(context, { holder, selection, suspension: ACCOUNT_HOLDER_SUSPENDED }, call, (request) =>
    context.ledger.Onramp(request, { within: call, forPrincipal: true }),
  );
};

export const onrampHoldings: Rpc<'holderPortal.OnrampHoldings', Context> = (context) => async (message, call) => {
  const selection = readOnramp(message);
  const holder = await findById(context.database.em(), accountHolderOf(call));
  if (!holder) throw notFound();
  return move(context, { holder, selection, suspension: OWN_HOLDER_SUSPENDED }, call, (request) =>
    context.holdings.OnrampHoldings(request, { within: call, forPrincipal: true }),
  );
};
