import { notFound } from '@saleschannel/errors';
import { readerOf, salesChannelOf, type Rpc } from '@saleschannel/grpc';
import { idToFind } from '@saleschannel/primitives/validation';
import type { Context } from '../context.ts';
import { inventoryVersion, isKnown } from '../domain/inventory-version.ts';
import { readInventoryFilter } from '../domain/list-filters.ts';
import { changesOf, listableOf } from '../store/inventory-lists.ts';
import { assetForm } from './list-messages.ts';
import { documentOf, piecesOf } from './messages.ts';

export const listInventory: Rpc<'inventory.ListInventory', Context> = ({ reads, isTrader }) =>
  async function* (request, call) {
    const [salesChannelId, reader] = [salesChannelOf(call), readerOf(call)];
    const traderId = idToFind(request.traderId);
    const filter = readInventoryFilter(request.filter);
    const { render, frame, about } = assetForm(request.format);
    if (!(await isTrader(salesChannelId, traderId, call))) throw notFound();
    // Before any row is read (ADR 25), and of the primary: a page that another server shows is no older (ADR 34).
    const changes = await reads.pageOfPrimary(reader, (em) => changesOf(em, traderId));
    const version = inventoryVersion(changes, { salesChannelId, traderId, filter, ...about });
    if (isKnown(version, request.known)) {
      yield { ...documentOf(''), version, unchanged: true };
      return;
    }
    const pages = reads.list(reader, (em, part) => listableOf(em, salesChannelId, traderId, filter, part));
    yield* piecesOf({ ...about, version }, pages, render, frame);
  };
