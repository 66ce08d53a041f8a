import type {
  Bundle,
  InventoryFilter,
  ListedTask,
  ListedTransaction,
  SalesChannel,
  TaskHandle,
  Trader,
  Transaction,
  TransactionExpansion,
} from '@saleschannel/sdk';
import { InvalidArgumentError, Option, type Command } from 'commander';
import { CommandError, UsageError } from '../failures.ts';
import { addExamples } from '../options.ts';
import type { Tools } from '../tools.ts';

const bundleColumns = {
  START: ({ start }: Bundle) => start,
  END: ({ end }: Bundle) => end,
  VOLUME: ({ volume }: Bundle) => volume,
  VINTAGE: ({ vintage }: Bundle) => vintage,
  METHODOLOGY: ({ methodologyCode }: Bundle) => methodologyCode,
  ISSUED: ({ issuingDate }: Bundle) => issuingDate.slice(0, 10),
};

const traderColumns = {
  ID: ({ id }: Trader) => id,
  NAME: ({ name }: Trader) => name,
  'BUSINESS ID': ({ businessId }: Trader) => businessId,
};

const transactionColumns = {
  ID: ({ id }: Transaction) => id,
  TYPE: ({ type }: Transaction) => type,
  STATUS: ({ status }: Transaction) => status,
  VOLUME: ({ assets }: Transaction) => assets.reduce((sum, { volume }) => sum + BigInt(volume), 0n),
  SELLER: ({ sellerId }: Transaction) => sellerId,
  BUYER: ({ buyerId }: Transaction) => buyerId,
  CREATED: ({ createdAt }: Transaction) => createdAt,
};

type TransactionColumns = Readonly<Record<string, (transaction: ListedTransaction) => unknown>>;

const expandedColumns: Readonly<Record<TransactionExpansion, TransactionColumns>> = {
  names: {
    SELLER: ({ sellerId, sellerName }) => sellerName ?? sellerId,
    BUYER: ({ buyerId, buyerName }) => buyerName ?? buyerId,
  },
  reference: { REFERENCE: ({ externalReference }) => externalReference },
  metadata: { METADATA: ({ metadata }) => metadata },
  retirement: {
    BENEFICIARY: ({ retirement }) => retirement?.beneficiaryName,
    PURPOSE: ({ retirement }) => retirement?.retirementPurpose,
  },
  totals: {
    VOLUME: ({ totals }) => totals?.volume,
    PRICE: ({ totals }) => totals?.price,
    CURRENCY: ({ currency }) => currency,
  },
};

const isExpansion = (name: string): name is TransactionExpansion => Object.hasOwn(expandedColumns, name);

function readExpansions(text: string): TransactionExpansion[] {
  const names = text.split(',');
  const known = names.filter(isExpansion);
  if (known.length === names.length) return known;
  throw new InvalidArgumentError(`It must be one or more of ${Object.keys(expandedColumns).join(', ')}, with commas.`);
}

const columnsWith = (expand: readonly TransactionExpansion[] = []): TransactionColumns =>
  Object.assign({}, transactionColumns, ...expand.map((each) => expandedColumns[each])) as TransactionColumns;

export interface FilterOptions {
  readonly vintage?: string;
  readonly methodology?: string;
  readonly facility?: string;
}

/** Adds the options that select bundles. */
export const addFilterOptions = (command: Command): Command =>
  command
    .option('--vintage <year>', 'only bundles of this vintage')
    .option('--methodology <code>', 'only bundles of this methodology')
    .option('--facility <id>', 'only bundles of this production facility');

/** Undefined without any condition. */
export function toFilter({ vintage, methodology, facility }: FilterOptions): InventoryFilter | undefined {
  const filter: InventoryFilter = {
    ...(vintage !== undefined && { vintage: { eq: vintage } }),
    ...(methodology !== undefined && { methodologyCode: { eq: methodology } }),
    ...(facility !== undefined && { productionFacilityId: { eq: facility } }),
  };
  return Object.keys(filter).length === 0 ? undefined : filter;
}

interface TransactionOptions {
  readonly status?: Transaction['status'];
  readonly type?: 'TRADE' | 'RETIREMENT' | 'OFFRAMP';
  readonly trader?: string;
  readonly expand?: TransactionExpansion[];
  readonly csv?: boolean;
}

/** Adds read-only commands. */
export function addReads(program: Command, tools: Tools): void {
  const options = { signal: tools.io.signal };
  program
    .command('traders')
    .description('Lists the traders of the sales channel.')
    .option('--name <part>', 'only traders whose name contains this text')
    .action(({ name }: { name?: string }) => {
      const query = name === undefined ? {} : { $filter: { name: { contains: name } } };
      return tools.printer().printList(tools.client().traders.list(query, options), traderColumns);
    });
  const inventory = addFilterOptions(program.command('inventory <trader>'))
    .description('Lists the bundles that a trader can transfer.')
    .option('--summary', 'show the totals instead')
    .action(async (trader: string, filterOptions: FilterOptions & { summary?: boolean }) => {
      const $filter = toFilter(filterOptions);
      const query = $filter === undefined ? {} : { $filter };
      const client = tools.client();
      if (filterOptions.summary !== true)
        return tools.printer().printList(client.inventory.list(trader, query, options), bundleColumns);
      tools.printer().printRecord(await client.inventory.summary(trader, query, options));
    });
  addExamples(inventory, 'inventory cm7q1a9tr0003x9f2b6s2j8uc --vintage 2024', 'inventory cm7q1a9tr… --summary');
  program
    .command('transactions [id]')
    .description('Lists the transactions of the sales channel, or shows one with its details.')
    .option('--trader <id>', 'only transactions of this trader')
    .addOption(new Option('--status <status>').choices(['PENDING', 'SUCCESS', 'FAILED', 'REJECTED']))
    .addOption(new Option('--type <type>').choices(['TRADE', 'RETIREMENT', 'OFFRAMP']))
    .option(
      '--expand <members>',
      'add names, reference, metadata, retirement or totals (a list separated by commas)',
      readExpansions,
    )
    .option('--csv', 'print CSV, with one record per range')
    .action(async (id: string | undefined, { status, type, trader, expand, csv }: TransactionOptions) => {
      const client = tools.client();
      if (id !== undefined) return tools.printer().printRecord(await client.transactions.detail(id, options));
      const $filter = {
        ...(status && { status: { eq: status } }),
        ...(type && { type: { eq: type } }),
        ...(trader !== undefined && { traderId: { eq: trader } }),
      };
      const query = Object.keys($filter).length === 0 ? {} : { $filter };
      if (csv === true) {
        const expanded = { ...query, ...(expand && { $expand: expand }) };
        const file = await client.requestText('listTransactions', 'text/csv', { ...options, query: expanded });
        return tools.printer().printText(file);
      }
      const transactions = client.transactions.list({ ...query, ...(expand && { expand }) }, options);
      return tools.printer().printList<ListedTransaction>(transactions, columnsWith(expand));
    });
}

const taskColumns = {
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
      if (id === undefined) return tools.printer().printList(client.tasks.list(query, { signal }), taskColumns);
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
