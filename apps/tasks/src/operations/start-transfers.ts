import { isAllowed, type UserPrincipal } from '@saleschannel/auth';
import type { TransferRequested } from '@saleschannel/contracts';
import { DomainError, forbidden, invalidRequest, notFound, requestRefused } from '@saleschannel/errors';
import type { Call } from '@saleschannel/grpc';
import { enqueue } from '@saleschannel/messaging';
import { newId, unitPriceFromJson } from '@saleschannel/primitives';
import type { Context } from '../context.ts';
import { taskMessages } from '../domain/messages.ts';
import { partyId, type Party, type PartyKey } from '../parties.ts';
import {
  checkMeaning,
  checkShape,
  fingerprintOf,
  isOperation,
  notOnboarded,
  startAccess,
  unknownBuyer,
} from '../domain/transfer.ts';
import type { StartTransfer__Output } from '../rpc/messages.ts';
import { findTasksByKey, insertTasks, type NewTask, type TaskRow } from '../store/tasks.ts';

export interface Started {
  task: Pick<TaskRow, 'id' | 'status' | 'message' | 'transaction_id' | 'idempotency_key'>;
  replayed: boolean;
}

/** One request on its way through the checks: it ends with a result or with an error, whatever becomes of the others. */
interface Item {
  readonly request: StartTransfer__Output;
  salesChannelId: string;
  fingerprint: string;
  accountHolderId?: string | undefined;
  autoApproval: boolean;
  result?: Started | DomainError;
}

/**
 * Starts transfers: each is checked on its own, in the order of the public API (credentials, role, shape, trader, meaning), and all that hold become tasks in one
 * commit, together with their announcement to the ledger. A key that was used before answers with its task, or is refused for another request; a refused request does
 * not use up its key. Results are in the order of the requests.
 */
export async function startTransfers(
  context: Context,
  requests: readonly StartTransfer__Output[],
  call: Call,
): Promise<(Started | DomainError)[]> {
  const items = await Promise.all(requests.map((request) => admit(context, request)));
  await settling(items.filter(isOpen), (open) =>
    checkAll(context, open, { ...call, deadline: call.deadline - ANSWER_MS }),
  );
  await replayRefused(context, items);
  await settling(items.filter(isOpen), (open) => insertAll(context, open));
  return items.map((item) => item.result ?? new DomainError('internal', 'The request failed.'));
}

/** Kept back from the time of the call: when a service that is asked does not answer, the requests that do not need it still get their results. */
const ANSWER_MS = 500;

const isOpen = (item: Item): boolean => item.result === undefined;

/** Does something for requests that are still open; when it cannot be done (a service or the database is away), that is the result of those alone. */
async function settling(items: Item[], work: (items: Item[]) => Promise<void>): Promise<void> {
  if (items.length === 0) return;
  try {
    await work(items);
  } catch (error) {
    const failure = asDomainError(error);
    for (const item of items.filter(isOpen)) item.result = failure;
  }
}

async function admit(context: Context, request: StartTransfer__Output): Promise<Item> {
  const item: Item = { request, salesChannelId: '', fingerprint: '', autoApproval: true };
  try {
    if (!isOperation(request.operation)) throw invalidRequest('There is no such operation.');
    const principal = await context.verifier.principal(request.principalToken);
    if (!isAllowed(startAccess[request.operation], principal)) throw forbidden();
    item.salesChannelId = (principal as UserPrincipal).salesChannelId ?? '';
    checkShape(request);
    item.fingerprint = fingerprintOf(request);
  } catch (error) {
    item.result = asDomainError(error);
  }
  return item;
}

function asDomainError(error: unknown): DomainError {
  if (error instanceof DomainError) return error;
  throw error;
}

/** Asks the traders, the inventory and the account holders about all requests at once, then judges each. */
async function checkAll({ parties, inventory, accountHolders }: Context, items: Item[], within: Call): Promise<void> {
  const known = await parties.find(items.flatMap(partiesOf), within);
  for (const item of items)
    item.accountHolderId = known.get(
      partyId({ salesChannelId: item.salesChannelId, traderId: item.request.traderId }),
    )?.accountHolderId;
  const checks = items.map(({ salesChannelId, request }) => ({
    salesChannelId,
    traderId: request.traderId,
    selections: request.assets,
  }));
  const onboarded = items.filter((item) => item.accountHolderId !== undefined);
  const [{ verdicts }] = await Promise.all([
    inventory.CheckSelections({ checks }, { within }),
    settling(onboarded, () => readApprovals(accountHolders, onboarded, within)),
  ]);
  items.forEach((item, index) => {
    try {
      judge(item, known, verdicts[index]?.faults ?? []);
    } catch (error) {
      item.result = asDomainError(error);
    }
  });
}

const partiesOf = ({ salesChannelId, request: { traderId, buyerId } }: Item): PartyKey[] =>
  [traderId, ...(buyerId === undefined ? [] : [buyerId])].map((id) => ({ salesChannelId, traderId: id }));

interface SelectionFault {
  index: number;
  field: string;
  code: string;
  detail: string;
}

/** What is wrong with a request, as far as others had to be asked. @throws DomainError */
function judge(
  { salesChannelId, request, accountHolderId }: Item,
  known: ReadonlyMap<string, Party>,
  faults: readonly SelectionFault[],
): void {
  if (!known.has(partyId({ salesChannelId, traderId: request.traderId }))) throw notFound();
  checkMeaning(request);
  if (request.operation === 'TRADE' && !known.has(partyId({ salesChannelId, traderId: request.buyerId ?? '' })))
    throw unknownBuyer();
  if (request.operation === 'OFFRAMP' && accountHolderId === undefined) throw notOnboarded();
  if (faults.length > 0) throw selectionRefused(faults);
}

const selectionRefused = (faults: readonly SelectionFault[]): DomainError =>
  requestRefused(
    'The selection does not hold.',
    faults.map(({ index, field, code, detail }) => ({ pointer: `#/assets/${index}/${field}`, code, detail })),
  );

/** Whether the account holders behind the sellers want to approve: asked each time, so that their word counts at once. */
async function readApprovals(directory: Context['accountHolders'], items: Item[], within: Call): Promise<void> {
  const ids = new Set(items.flatMap(({ accountHolderId }) => accountHolderId ?? []));
  const { accountHolders } = await directory.GetAccountHolders({ accountHolderIds: [...ids] }, { within });
  const approvals = new Map(accountHolders.map((holder) => [holder.accountHolderId, holder.autoApproval]));
  for (const item of items) item.autoApproval = approvals.get(item.accountHolderId ?? '') ?? false;
}

/** A request that cannot be carried out (any more) may be the repetition of one that was: then its task is the answer. */
async function replayRefused({ database }: Context, items: Item[]): Promise<void> {
  const refused = items.filter(
    (item) => item.fingerprint !== '' && item.result instanceof DomainError && item.result.code === 'request-refused',
  );
  if (refused.length === 0) return;
  try {
    replay(refused, await findTasksByKey(database.em(), refused.map(keyOf)));
  } catch (error) {
    for (const item of refused) item.result = asDomainError(error);
  }
}

const keyOf = ({ salesChannelId, request }: Item) => ({
  salesChannelId,
  operation: request.operation,
  idempotencyKey: request.idempotencyKey,
});

function replay(items: Item[], tasks: TaskRow[]): void {
  const byKey = new Map(
    tasks.map((task) => [`${task.sales_channel_id}/${task.operation}/${task.idempotency_key}`, task]),
  );
  for (const item of items) {
    const { salesChannelId, operation, idempotencyKey } = keyOf(item);
    const task = byKey.get(`${salesChannelId}/${operation}/${idempotencyKey}`);
    if (!task) continue;
    item.result =
      task.fingerprint === item.fingerprint
        ? { task, replayed: true }
        : new DomainError('idempotency-key-reused', 'The Idempotency-Key was used for another request before.', {
            violations: [{ parameter: 'Idempotency-Key', code: 'reused', detail: 'Use a new key for a new request.' }],
          });
  }
}

async function insertAll({ database, created }: Context, items: Item[]): Promise<void> {
  const tasks = items.map(newTask);
  const inserted = await database.transaction(async (em) => {
    const ids = await insertTasks(em, tasks);
    const announced = tasks.filter((task) => ids.has(task.id)).map((task) => task.request);
    await enqueue(em, 'tasks.transfer.requested.v1', announced);
    return ids;
  });
  created.add(inserted.size);
  items.forEach((item, index) => {
    const task = tasks[index];
    if (!task || !inserted.has(task.id)) return;
    const { id, message, idempotencyKey } = task;
    item.result = {
      task: { id, status: 'PENDING', message, transaction_id: null, idempotency_key: idempotencyKey },
      replayed: false,
    };
  });
  const repeated = items.filter(isOpen);
  if (repeated.length > 0) replay(repeated, await findTasksByKey(database.em(), repeated.map(keyOf)));
}

function newTask(item: Item): NewTask {
  const { request, salesChannelId, fingerprint } = item;
  const id = newId();
  const { operation, idempotencyKey, traderId } = request;
  return {
    id,
    salesChannelId,
    operation,
    idempotencyKey,
    fingerprint,
    traderId,
    message: taskMessages.waiting,
    request: announcementOf(id, item),
  };
}

const announcementOf = (
  taskId: string,
  { request, salesChannelId, accountHolderId, autoApproval }: Item,
): TransferRequested => ({
  taskId,
  salesChannelId,
  type: request.operation,
  sellerId: request.traderId,
  sellerAccountHolderId: accountHolderId ?? null,
  buyerId: request.operation === 'TRADE' ? (request.buyerId ?? null) : null,
  autoApproval,
  currency: (request.currency ?? null) as TransferRequested['currency'],
  retirement: request.operation === 'RETIREMENT' ? request.retirement : null,
  assets: request.assets.map(({ start, end, unitPrice }, index) => ({
    start,
    end,
    unitPrice: unitPrice === undefined ? null : unitPriceFromJson(unitPrice, `#/assets/${index}/unitPrice`),
  })),
  traceparent: request.traceparent,
});
