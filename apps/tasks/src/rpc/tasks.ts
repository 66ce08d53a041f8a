import { accessRules, isAllowed, requireAccess, type AccessRule, type TokenVerifier } from '@saleschannel/auth';
import { transferTypes, type TransferType } from '@saleschannel/contracts';
import { DomainError, forbidden, invalidRequest, notFound } from '@saleschannel/errors';
import {
  lookUpOwnerOf,
  toProblem,
  readerOf,
  salesChannelOf,
  userOf,
  type RequestOf,
  type ResponseOf,
  type Rpc,
} from '@saleschannel/grpc';
import { idToFind, parse, readChannelPage } from '@saleschannel/primitives/validation';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { parseTaskFilter, type Task } from '../domain/task.ts';
import { attempt } from '../operations/attempt.ts';
import type { StartedTask } from '../operations/accept-transfers.ts';
import { startTransfers as start } from '../operations/start-transfers.ts';
import { waitForEnds } from '../operations/task-ends.ts';
import { selectTasks } from '../store/task-lists.ts';
import type { TaskPath } from '../store/tasks.ts';
import { countOpenTasks as count } from '../store/waiting.ts';

const MAX_AWAITED_TASKS = 1_000;

/** Access rule for the tasks of each type. */
const taskAccess: Record<TransferType, AccessRule> = {
  TRADE: accessRules.getTradeTask,
  RETIREMENT: accessRules.getRetirementTask,
  OFFRAMP: accessRules.getOfframpTask,
};

const types = {
  TRANSFER_TYPE_TRADE: 'TRADE',
  TRANSFER_TYPE_RETIREMENT: 'RETIREMENT',
  TRANSFER_TYPE_OFFRAMP: 'OFFRAMP',
} as const satisfies Record<string, TransferType>;

const typeSchema = z.object({
  type: z.enum(['TRANSFER_TYPE_TRADE', 'TRANSFER_TYPE_RETIREMENT', 'TRANSFER_TYPE_OFFRAMP']),
});

type TaskRequest = RequestOf<'tasks.GetTask'>;
type TaskMessage = ResponseOf<'tasks.GetTask'>;
type ResultMessage = NonNullable<ResponseOf<'tasks.StartTransfers'>['results']>[number];

/** @throws DomainError 'invalid-request' */
const readTaskType = ({ type }: TaskRequest): TransferType =>
  types[parse(typeSchema, { type }, 'The type of the task is not valid.').type];

const toTaskPath = (salesChannelId: string, type: TransferType, request: TaskRequest): TaskPath => ({
  salesChannelId,
  type,
  traderId: idToFind(request.traderId),
  id: idToFind(request.taskId),
});

export const toTaskMessage = ({ id, status, idempotencyKey, message, transactionId }: Task): TaskMessage => ({
  id,
  status,
  idempotencyKey,
  message,
  ...(transactionId === null ? {} : { transactionId }),
});

const toResultMessage = (result: StartedTask | DomainError): ResultMessage =>
  result instanceof DomainError
    ? { problem: toProblem(result) }
    : { task: toTaskMessage(result.task), replayed: result.replayed };

export const startTransfers: Rpc<'tasks.StartTransfers', Context> =
  (context) =>
  async ({ transfers }, call) => ({ results: (await start(context, transfers, call)).map(toResultMessage) });

/** Reads the type first, because the required role depends on it. */
export const getTask: Rpc<'tasks.GetTask', Context> =
  ({ findTask }) =>
  async (request, call) => {
    const type = readTaskType(request);
    if (!isAllowed(taskAccess[type], userOf(call))) throw forbidden();
    const task = await findTask(toTaskPath(salesChannelOf(call), type, request), lookUpOwnerOf(call));
    if (!task) throw notFound();
    return toTaskMessage(task);
  };

/** Lists the types that the user may see. */
export const listTasks: Rpc<'tasks.ListTasks', Context> =
  ({ reads }) =>
  async ({ ascending, ...request }, call) => {
    const salesChannelId = salesChannelOf(call);
    const user = userOf(call);
    const filter = parseTaskFilter(request.filter);
    const page = readChannelPage(request.page);
    const visible = transferTypes.filter(
      (type) => (filter.type === undefined || filter.type === type) && isAllowed(taskAccess[type], user),
    );
    if (visible.length === 0) return { tasks: [] };
    const { rows, next } = await reads.page(readerOf(call), (em) =>
      selectTasks(em, salesChannelId, { filter, types: visible, descending: !ascending }, page),
    );
    const tasks = rows.map(({ type, traderId, createdAt, externalReference, ...task }) => ({
      task: toTaskMessage(task),
      type,
      traderId,
      createdAt,
      ...(externalReference === null ? {} : { externalReference }),
    }));
    return { tasks, next };
  };

/** Authorizes each wait separately, by the token of its own principal. */
export const waitForTasks: Rpc<'tasks.WaitForTasks', Context> = (context) =>
  async function* ({ tasks }, call) {
    if (tasks.length > MAX_AWAITED_TASKS)
      throw invalidRequest(`At most ${MAX_AWAITED_TASKS} tasks may be awaited together.`);
    const authorized = await Promise.all(tasks.map((wait) => attempt(() => authorizeWait(context.verifier, wait))));
    const paths = authorized.flatMap((path) => (path instanceof DomainError ? [] : [path]));
    context.replicas.announceWaits(paths.map(({ salesChannelId }) => salesChannelId));
    for await (const ended of waitForEnds(context, paths, call)) yield { tasks: ended.map(toTaskMessage) };
  };

type Wait = RequestOf<'tasks.WaitForTasks'>['tasks'][number];

/** @throws DomainError 'unauthenticated', 'forbidden' or 'invalid-request' */
async function authorizeWait(verifier: TokenVerifier, { principalToken, task }: Wait): Promise<TaskPath> {
  const principal = await verifier.verifyPrincipal(principalToken);
  if (principal.kind !== 'user' || principal.salesChannelId === undefined) throw forbidden();
  if (!task) throw invalidRequest('The task is missing.');
  const type = readTaskType(task);
  requireAccess(taskAccess[type], principal);
  return toTaskPath(principal.salesChannelId, type, task);
}

export const countOpenTasks: Rpc<'channelTasks.CountOpenTasks', Context> =
  ({ database }) =>
  async ({ salesChannelId }) => ({ tasks: await count(database.em(), idToFind(salesChannelId)) });
