import type { Bundle, InventoryFilter, Trader, Transaction } from '@saleschannel/sdk';
import { Option, type Command } from 'commander';
import { withExamples } from '../options.ts';
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

interface FilterOptions {
  readonly vintage?: string;
  readonly methodology?: string;
  readonly facility?: string;
}

/** Options that choose bundles. */
export const withFilter = (command: Command): Command =>
  command
    .option('--vintage <year>', 'of one vintage only')
    .option('--methodology <code>', 'of one methodology only')
    .option('--facility <id>', 'of one production facility only');

/** Undefined without a condition. */
export function filterOf({ vintage, methodology, facility }: FilterOptions): InventoryFilter | undefined {
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
}

/** What only reads. */
export function addReads(program: Command, tools: Tools): void {
  const options = { signal: tools.surroundings.signal };
  program
    .command('traders')
    .description('Lists the traders of the sales channel.')
    .option('--name <beginning>', 'whose name begins so')
    .action(({ name }: { name?: string }) => {
      const query = name === undefined ? {} : { $filter: { name: { startsWith: name } } };
      return tools.printer().list(tools.client().traders.list(query, options), traderColumns);
    });
  const inventory = withFilter(program.command('inventory <trader>'))
    .description('Lists the bundles that a trader can move.')
    .option('--summary', 'how much that is instead')
    .action(async (trader: string, given: FilterOptions & { summary?: boolean }) => {
      const $filter = filterOf(given);
      const query = $filter === undefined ? {} : { $filter };
      const client = tools.client();
      if (given.summary !== true) {
        return tools.printer().list(client.inventory.list(trader, query, options), bundleColumns);
      }
      tools.printer().one(await client.inventory.summary(trader, query, options));
    });
  withExamples(inventory, 'inventory cm7q1a9tr0003x9f2b6s2j8uc --vintage 2024', 'inventory cm7q1a9tr… --summary');
  program
    .command('transactions [id]')
    .description('Lists the transactions of the sales channel, or shows one of them with its details.')
    .option('--trader <id>', 'of one trader only')
    .addOption(new Option('--status <status>').choices(['PENDING', 'SUCCESS', 'FAILED', 'REJECTED']))
    .addOption(new Option('--type <type>').choices(['TRADE', 'RETIREMENT', 'OFFRAMP']))
    .action(async (id: string | undefined, { status, type, trader }: TransactionOptions) => {
      const client = tools.client();
      if (id !== undefined) return tools.printer().one(await client.transactions.detail(id, options));
      const $filter = {
        ...(status && { status: { eq: status } }),
        ...(type && { type: { eq: type } }),
        ...(trader !== undefined && { traderId: { eq: trader } }),
      };
      const query = Object.keys($filter).length === 0 ? {} : { $filter };
      return tools.printer().list(client.transactions.list(query, options), transactionColumns);
    });
}
