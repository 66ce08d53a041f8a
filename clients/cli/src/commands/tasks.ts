import type { ListedTask, SalesChannel, TaskHandle } from '@saleschannel/sdk';
import { Option, type Command } from 'commander';
import { CommandError, UsageError } from '../context.ts';
import type { Tools } from '../tools.ts';

const columns = {
  ID: ({ taskId }: ListedTask) => taskId,
  TYPE: ({ type }: ListedTask) => type,
  STATUS: ({ status }: ListedTask) => status,
  TRANSACTION: ({ responsePayload }: ListedTask) => responsePayload.id,
  TRADER: ({ traderId }: ListedTask) => traderId,
  CREATED: ({ createdAt }: ListedTask) => createdAt,
  MESSAGE: ({ message }: ListedTask) => message,
};

interface TaskOptions {
  readonly wait?: boolean;
  readonly status?: ListedTask['status'];
}

export function addTasks(program: Command, tools: Tools): void {
  program
    .command('tasks [id]')
    .description('Lists the tasks of the sales channel, newest first, or shows one.')
    .option('--wait', 'wait until the task ends')
    .addOption(new Option('--status <status>').choices(['PENDING', 'SUCCESS', 'FAILED', 'REJECTED']))
    .action(async (id: string | undefined, { wait, status }: TaskOptions) => {
      const client = tools.client();
      const { signal } = tools.io;
      const query = status === undefined ? {} : { $filter: { status: { eq: status } } };
      if (wait === true && id === undefined) throw new UsageError('--wait requires the id of a task.');
      if (id === undefined) return tools.printer().printList(client.tasks.list(query, { signal }), columns);
      const task = await findTask(client, id, signal);
      if (wait === true) await task.wait({ signal });
      tools.printer().printRecord(task.task);
    });
}

const groups = { TRADE: 'trades', RETIREMENT: 'retirements', OFFRAMP: 'offramps' } as const;

/** The API reads tasks by trader, which the list contains. */
async function findTask(client: SalesChannel, id: string, signal: AbortSignal): Promise<TaskHandle> {
  for await (const { taskId, type, traderId } of client.tasks.list({}, { signal })) {
    if (taskId === id) return client[groups[type]].task(traderId, id, { signal });
  }
  throw new CommandError(`There is no task ${id}. Run scs tasks to list the tasks.`);
}
