import { notFound } from '@saleschannel/errors';
import { askerOf, type Rpc } from '@saleschannel/grpc';
import { idToFind } from '@saleschannel/primitives/validation';
import type { Context } from '../context.ts';
import { findRetired, findStatement } from '../store/statements.ts';
import { documentOf } from './messages.ts';
import { renderStatement } from './statement-messages.ts';

export const getStatement: Rpc<'publicRegister.GetStatement', Context> =
  ({ reads, signer, clock, isSandbox }) =>
  async (request, call) => {
    const id = idToFind(request.id);
    const found = await reads.page(askerOf(call).owner, async (em) => {
      const view = await findStatement(em, id);
      return view && { view, retired: await findRetired(em, view.transactionId) };
    });
    if (!found) throw notFound();
    return documentOf(await renderStatement(found.view, found.retired, { signer, now: clock.now(), isSandbox }));
  };
