import { DomainError } from '@saleschannel/errors';
import { problemOf, type ResponseOf, type Rpc } from '@saleschannel/grpc';
import type { Context } from '../context.ts';
import type { Started } from '../operations/find-replays.ts';
import { startTransfers as start } from '../operations/start-transfers.ts';
import { taskMessage } from './messages.ts';

type ResultMessage = NonNullable<ResponseOf<'tasks.StartTransfers'>['results']>[number];

export const startTransfers: Rpc<'tasks.StartTransfers', Context> =
  (context) =>
  async ({ transfers }, call) => ({ results: (await start(context, transfers, call)).map(resultMessage) });

const resultMessage = (result: Started | DomainError): ResultMessage =>
  result instanceof DomainError
    ? { problem: problemOf(result) }
    : { task: taskMessage(result.task), replayed: result.replayed };
