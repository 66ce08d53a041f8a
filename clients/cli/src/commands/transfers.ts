import {
  isOutcomeUnknown,
  type Plan,
  type PlannedSelection,
  type SalesChannel,
  type TaskHandle,
  type TransferKind,
} from '@saleschannel/sdk';
import { Option, type Command } from 'commander';
import { CommandError, UsageError } from '../failures.ts';
import {
  addExamples,
  addKeyOption,
  parseKey,
  parseNote,
  parsePrice,
  parseSelection,
  parseVolume,
  type KeyOptions,
  type Notes,
  type Selection,
} from '../options.ts';
import { confirm } from '../terminal.ts';
import type { Tools } from '../tools.ts';
import { addFilterOptions, toFilter, type FilterOptions } from './reads.ts';
import { addRetirementOptions, formatPrice, retirementLines, toRetirement, type RetirementOptions } from './terms.ts';

type PlanType = Plan['type'];

const planTypes = { trade: 'TRADE', retirement: 'RETIREMENT', offramp: 'OFFRAMP' } as const satisfies Record<
  TransferKind,
  PlanType
>;

interface SelectionOptions extends FilterOptions {
  readonly fromOldest?: number;
  readonly select?: readonly Selection[];
}

interface TransferOptions extends SelectionOptions, KeyOptions {
  readonly yes?: boolean;
  readonly wait: boolean;
  /** Former name of `--idempotency-key`. */
  readonly key?: string;
  readonly reference?: string;
  readonly metadata?: Notes;
}

interface PriceOptions {
  readonly price?: string;
  readonly currency?: 'EUR' | 'USD';
}

const columns = {
  FROM: ({ start }: PlannedSelection) => start,
  TO: ({ end }: PlannedSelection) => end,
  VOLUME: ({ volume }: PlannedSelection) => volume,
  'OF BUNDLE': ({ bundle }: PlannedSelection) => bundle.volume,
  REMAINS: ({ remainder }: PlannedSelection) => remainder?.volume ?? 0,
  VINTAGE: ({ vintage }: PlannedSelection) => vintage,
};

const withSelection = (command: Command): Command =>
  addFilterOptions(command)
    .option('--from-oldest <volume>', 'number of certificates to take, from the oldest bundles first', parseVolume)
    .option('--select <start..end>', 'certificates to take; repeatable', parseSelection);

const withTransfer = (command: Command): Command =>
  addKeyOption(withSelection(command))
    .option('--yes', 'skip the confirmation')
    .option('--no-wait', 'do not wait until the task ends')
    .addOption(new Option('--key <key>').argParser(parseKey).hideHelp())
    .option('--reference <text>', 'your reference of the transfer; permanently unique in the sales channel')
    .option('--metadata <name=value>', 'your own note; repeatable', parseNote);

const toNotes = ({ reference, metadata }: TransferOptions): { externalReference?: string; metadata?: Notes } => ({
  ...(reference !== undefined && { externalReference: reference }),
  ...(metadata && { metadata }),
});

const currencyOption = (): Option =>
  new Option('--currency <code>', 'currency; a retirement may have one without a price').choices(['EUR', 'USD']);
const withPrice = (command: Command): Command =>
  command.option('--price <decimal>', 'price of one certificate', parsePrice).addOption(currencyOption());

export function addTransfers(program: Command, tools: Tools): void {
  const plan = withSelection(program.command('plan <trader>'))
    .description('Shows which certificates a trade, retirement or offramp would take. Reserves nothing.')
    .addOption(new Option('--type <type>').choices(Object.values(planTypes)).default('RETIREMENT' satisfies PlanType))
    .action(async (trader: string, options: SelectionOptions & { type: PlanType }) => {
      const { plan: planned, faults } = await requestPlan(tools, trader, options.type, options);
      if (faults !== undefined) throw new CommandError(faults);
      await tools.printer().printList(planned.selections, columns);
    });
  addExamples(plan, 'plan cm7q1a9tr0003x9f2b6s2j8uc --from-oldest 250 --vintage 2024');

  const trade = withPrice(withTransfer(program.command('trade <seller>')))
    .description('Sells certificates of one trader to another.')
    .requiredOption('--to <trader>', 'buyer')
    .action(async (seller: string, options: TransferOptions & PriceOptions & { to: string }) => {
      const { price, currency } = options;
      if (price === undefined || currency === undefined)
        throw new UsageError('A trade requires --price and --currency.');
      const terms = (volume: bigint) => [`buyer: ${options.to}`, `price: ${formatPrice(price, currency, volume)}`];
      await runTransfer(tools, { kind: 'trade', trader: seller, options, terms }, (client, selections, call) => {
        const assets = selections.map((each) => ({ ...each, unitPrice: price }));
        return client.trades.start(seller, { buyerId: options.to, currency, assets, ...toNotes(options) }, call);
      });
    });
  addExamples(trade, 'trade cm7q1a9tr… --to cm7q1b5gh… --from-oldest 10 --price 149.50 --currency EUR');

  const retire = addRetirementOptions(withPrice(withTransfer(program.command('retire <trader>'))))
    .description('Retires certificates permanently for a beneficiary.')
    .action(async (trader: string, options: TransferOptions & PriceOptions & RetirementOptions) => {
      const { price, currency = null } = options;
      if (price !== undefined && currency === null) throw new UsageError('--price requires --currency.');
      const retirement = toRetirement(options);
      const terms = (volume: bigint) => [
        ...retirementLines(retirement),
        `price: ${formatPrice(price, currency, volume)}`,
      ];
      await runTransfer(tools, { kind: 'retirement', trader, options, terms }, (client, selections, call) => {
        const assets = selections.map((each) => (price === undefined ? each : { ...each, unitPrice: price }));
        return client.retirements.start(trader, { ...retirement, assets, currency, ...toNotes(options) }, call);
      });
    });
  addExamples(
    retire,
    'retire cm7q1a9tr… --from-oldest 250 --beneficiary "Nordlys Ferries AS" --location "Bergen, Norway" \\\n' +
      '    --country Norway --from 2024-01-01 --to 2024-12-31 --purpose "Residual emissions of 2024"',
  );

  withTransfer(program.command('offramp <trader>'))
    .description('Transfers certificates back to the account holder in the registry.')
    .action((trader: string, options: TransferOptions) =>
      runTransfer(tools, { kind: 'offramp', trader, options, terms: () => [] }, (client, assets, call) =>
        client.offramps.start(trader, { assets: [...assets], ...toNotes(options) }, call),
      ),
    );
}

interface PlanResult {
  readonly plan: Plan;
  /** Reasons that prevent the transfer, if any. */
  readonly faults: string | undefined;
}

/** @throws UsageError if the selection is missing or ambiguous */
async function requestPlan(
  tools: Tools,
  trader: string,
  type: PlanType,
  options: SelectionOptions,
): Promise<PlanResult> {
  const { fromOldest, select } = options;
  if ((fromOldest === undefined) === (select === undefined))
    throw new UsageError('Pass either --from-oldest or --select.');
  const filter = toFilter(options);
  if (select && filter)
    throw new UsageError('--select cannot be combined with --vintage, --methodology or --facility.');
  const body = select
    ? { type, assets: [...select] }
    : { type, volume: fromOldest ?? 0, order: 'OLDEST' as const, ...(filter && { filter }) };
  const { signal } = tools.io;
  const { data, requestId } = await tools
    .client()
    .request('planTransfer', { path: { traderId: trader }, body, signal })
    .withResponse();
  if (data.faults.length === 0) return { plan: data, faults: undefined };
  const faults = data.faults.map(({ detail, code }) => `  ${detail} (${code})`);
  const lines = ['The transfer cannot be carried out.', ...faults, `  request id: ${requestId}`];
  return { plan: data, faults: lines.join('\n') };
}

interface Transfer {
  readonly kind: TransferKind;
  readonly trader: string;
  readonly options: TransferOptions;
  /** Further terms, for display. */
  readonly terms: (volume: bigint) => readonly string[];
}

type Start = (
  client: SalesChannel,
  selections: readonly Selection[],
  call: { readonly idempotencyKey: string; readonly signal: AbortSignal },
) => Promise<TaskHandle>;

const verbs = { trade: 'Trade', retirement: 'Retire', offramp: 'Offramp' } as const;

/**
 * Shows and returns the certificates to transfer. If an earlier attempt already transferred them, planning fails, but
 * the service knows the key. Therefore a request with a key and selections is sent despite faults.
 */
async function chooseSelections(tools: Tools, { kind, trader, options }: Omit<Transfer, 'terms'>) {
  const { plan, faults } = await requestPlan(tools, trader, planTypes[kind], options);
  if (faults === undefined) {
    for (const { start, end, volume, remainder } of plan.selections) {
      tools.printMessage(
        `  ${start} to ${end}: ${volume}, ${remainder ? `${remainder.volume} remain` : 'all of the bundle'}`,
      );
    }
    const selections = plan.selections.map(({ start, end }) => ({ start, end }));
    return { selections, what: `${plan.volume} t`, volume: BigInt(plan.volume) };
  }
  const key = findKey(options);
  if (key === undefined) throw new CommandError(faults);
  if (!options.select)
    throw new CommandError(
      `${faults}\n  If the key ${key} has started a transfer, repeat it with its --select options.`,
    );
  tools.printMessage(`scs: ${faults}\n  scs sends it anyway, because an earlier attempt may have used the key ${key}.`);
  return {
    selections: options.select,
    what: options.select.map(({ start, end }) => `${start} to ${end}`).join(', '),
    volume: options.select.reduce((sum, { start, end }) => sum + parseSerial(end) - parseSerial(start) + 1n, 0n),
  };
}

const parseSerial = (certificate: string): bigint => BigInt(certificate.slice(certificate.lastIndexOf('_') + 1));

const findKey = ({ idempotencyKey, key }: TransferOptions): string | undefined => idempotencyKey ?? key;

/** Shows the transfer, asks for confirmation, starts the shown transfer and waits for its end. */
async function runTransfer(tools: Tools, { kind, trader, options, terms }: Transfer, start: Start): Promise<void> {
  const { io, printMessage } = tools;
  const { signal } = io;
  const { selections, what, volume } = await chooseSelections(tools, { kind, trader, options });
  const { reference, metadata = {} } = options;
  const notes = Object.entries(metadata).map(([name, text]) => `note ${name}: ${text}`);
  for (const line of [...terms(volume), ...(reference === undefined ? [] : [`reference: ${reference}`]), ...notes])
    printMessage(`  ${line}`);
  const question = `${verbs[kind]} ${what} of ${trader}?`;
  if (options.yes !== true && !(await confirm(io, question)))
    throw new CommandError('You did not confirm, so nothing was started.');
  const idempotencyKey = findKey(options) ?? crypto.randomUUID();
  printMessage(`  key: ${idempotencyKey}`);
  const task = await start(tools.client(), selections, { idempotencyKey, signal }).catch((error: unknown) => {
    const repeatOptions = selections.map(({ start: first, end }) => ` --select ${first}..${end}`).join('');
    // --from-oldest would plan again, with a different result.
    if (isOutcomeUnknown(error))
      printMessage(`The transfer may have been started. Repeat the command with${repeatOptions}`);
    throw error;
  });
  // Allows the user to find the task after interrupting the wait.
  printMessage(`  task: ${task.id}${task.wasReplayed ? ', started before' : ''}`);
  if (options.wait) await task.wait({ signal });
  tools.printer().printRecord(task.task);
}
