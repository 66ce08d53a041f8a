import { createHash } from 'node:crypto';
import { notFound } from '@saleschannel/errors';
import { readerOf, salesChannelOf, type Call, type RequestOf, type Rpc } from '@saleschannel/grpc';
import { idToFind, readChannelPage, readListOrder } from '@saleschannel/primitives/validation';
import type { Context } from '../context.ts';
import { parseInventoryFilter } from '../domain/list-requests.ts';
import { bundleOrders } from '../store/bundle-views.ts';
import {
  readInventoryChanges,
  selectInventory,
  selectOrderedInventory,
  type InventoryChanges,
} from '../store/inventory-lists.ts';
import { sumInventory } from '../store/summaries.ts';
import { createAssetForm } from './bundle-messages.ts';
import { toSummaryDocument, toTextDocument, toChunks, toRows } from './messages.ts';

/** Versions that the caller has. */
interface KnownVersions {
  readonly versions: readonly string[];
  /** True: any version matches. */
  readonly any: boolean;
}

const VERSION_CHARACTERS = 22;

/**
 * Identifies the content of a list. Equal versions have equal bundles for equal requests.
 * @param request owner of the list, and every parameter of the request
 */
export const computeInventoryVersion = ({ moved, expired }: InventoryChanges, request: object): string =>
  createHash('sha256')
    .update(JSON.stringify([moved, expired, request]))
    .digest('base64url')
    .slice(0, VERSION_CHARACTERS);

const isKnown = (version: string, known: KnownVersions | null | undefined): boolean =>
  known ? known.any || known.versions.includes(version) : false;

type InventoryRequest = Pick<RequestOf<'inventory.SummarizeInventory'>, 'traderId' | 'filter'>;

/** Reads the trader and the filter. */
const readInventory = (request: InventoryRequest, call: Call) => ({
  salesChannelId: salesChannelOf(call),
  traderId: idToFind(request.traderId),
  filter: parseInventoryFilter(request.filter),
});

/** @throws DomainError 'not-found' for a trader of another sales channel */
async function checkTrader(
  { isTrader }: Pick<Context, 'isTrader'>,
  { salesChannelId, traderId }: ReturnType<typeof readInventory>,
  call: Call,
): Promise<void> {
  if (!(await isTrader(salesChannelId, traderId, call))) throw notFound();
}

export const listInventory: Rpc<'inventory.ListInventory', Context> = (context) =>
  async function* (request, call) {
    const [{ reads }, reader] = [context, readerOf(call)];
    const inventory = readInventory(request, call);
    const { salesChannelId, traderId, filter } = inventory;
    const form = createAssetForm(request.format);
    await checkTrader(context, inventory, call);
    // Read from the primary before any row (ADR 25), so that no page from a standby is older (ADR 34).
    const changes = await reads.primaryPage(reader, (em) => readInventoryChanges(em, traderId));
    const version = computeInventoryVersion(changes, { ...inventory, ...form.header });
    if (isKnown(version, request.known)) {
      yield { ...toTextDocument(''), version, unchanged: true };
      return;
    }
    const pages = reads.list(reader, (em, page) => selectInventory(em, salesChannelId, traderId, filter, page));
    yield* toChunks(form, pages, { version });
  };

export const pageInventory: Rpc<'inventory.PageInventory', Context> = (context) => async (request, call) => {
  const inventory = readInventory(request, call);
  const { salesChannelId, traderId, filter } = inventory;
  const form = createAssetForm(request.format);
  const page = readChannelPage(request.page);
  const order = readListOrder(request.order, bundleOrders);
  const ordered = order !== undefined;
  await checkTrader(context, inventory, call);
  return context.reads.page(readerOf(call), async (em) => {
    const changes = await readInventoryChanges(em, traderId);
    const version = computeInventoryVersion(changes, { ...inventory, asked: page, order, ...form.header });
    if (isKnown(version, request.known)) return { ...toTextDocument(''), version, unchanged: true, ordered };
    const rows = await (order
      ? selectOrderedInventory(em, salesChannelId, traderId, filter, page, order)
      : selectInventory(em, salesChannelId, traderId, filter, page));
    return { ...toRows(rows, form), version, ordered };
  });
};

export const summarizeInventory: Rpc<'inventory.SummarizeInventory', Context> = (context) => async (request, call) => {
  const inventory = readInventory(request, call);
  await checkTrader(context, inventory, call);
  const sums = await context.reads.page(readerOf(call), (em) => sumInventory(em, inventory, inventory.filter));
  return toSummaryDocument(sums, ['vintage', 'methodologyCode', 'productionFacilityId']);
};
