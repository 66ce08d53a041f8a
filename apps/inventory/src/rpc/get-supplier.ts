import { notFound } from '@saleschannel/errors';
import type { Rpc } from '@saleschannel/grpc';
import { idToFind } from '@saleschannel/primitives/validation';
import type { Context } from '../context.ts';
import { findSupplier } from '../store/facilities.ts';

export const getSupplier: Rpc<'inventory.GetSupplier', Context> =
  ({ database }) =>
  async ({ supplierId }) => {
    const supplier = await findSupplier(database.em(), idToFind(supplierId));
    if (!supplier) throw notFound();
    return supplier;
  };
