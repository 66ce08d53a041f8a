import { roles } from '@saleschannel/auth';
import { auditedServices, auditOrder, type AuditedService, type AuditOrder } from '@saleschannel/contracts';
import { channelStatuses, withOperatorStatus } from '@saleschannel/edge/administration';
import { Option, type Command } from 'commander';
import { textOption, wholeNumberOption, withExamples } from '../options.ts';
import type { Tools } from '../tools.ts';

/** Scopes without a sales channel. */
const COMMON_SCOPES = ['installation', 'registry', 'sessions'];

interface AuditOptions {
  scope?: string;
  service?: AuditedService;
  order?: AuditOrder;
  action?: string;
  actor?: string;
  from?: string;
  to?: string;
}

export function addAuditEvents(program: Command, { administration, auditTrail, printLine }: Tools): void {
  const command = program
    .command('audit-events')
    .description('print the audit trail of all scopes or of one, chain by chain, as NDJSON')
    .option(
      '--scope <scope>',
      'only this scope: "registry", "installation", "sessions" or the id of a sales channel',
      textOption,
    )
    .addOption(new Option('--service <name>', 'only events that this service recorded').choices(auditedServices))
    .addOption(new Option('--order <order>', 'order of each chain: oldest or newest first').choices(auditOrder.options))
    .option('--action <name>', 'only actions of this name, such as rbac.role.granted', textOption)
    .option('--actor <id>', 'only actions of this user, operator or service', textOption)
    .option('--from <date-time>', 'only events at or after this time', textOption)
    .option('--to <date-time>', 'only events before this time', textOption)
    .action(async ({ scope, service, ...range }: AuditOptions) => {
      const channels = async () => (await administration((each) => each.listSalesChannels())).map(({ id }) => id);
      const scopes = scope === undefined ? [...COMMON_SCOPES, ...(await channels())] : [scope];
      const services = service === undefined ? auditedServices : [service];
      for (const each of scopes) {
        for await (const line of auditTrail(services, { scope: each, ...range })) printLine(line);
      }
    });
  withExamples(
    command,
    'audit-events --from 2026-01-01T00:00:00Z',
    'audit-events --scope installation --service identity',
    'audit-events --scope registry --order desc --action inventory.issuance.created',
  );
}

const LIMIT = 100;
const LIMIT_AT_MOST = 1_000;

interface Page {
  limit: number;
  after?: string;
}

/** Prints a page with the start of the next one, which is the last id of a full page. */
function printPage<Row>(
  { print }: Tools,
  name: string,
  rows: readonly Row[],
  idOf: (row: Row) => string,
  { limit }: Page,
): void {
  const last = rows.at(-1);
  print({ [name]: rows, next: last === undefined || rows.length < limit ? null : idOf(last) });
}

const paged = (command: Command): Command =>
  command
    .option('--limit <number>', 'maximum number of records', wholeNumberOption(LIMIT_AT_MOST), LIMIT)
    .option('--after <id>', '"next" of the previous page', textOption);

export function addLists(program: Command, tools: Tools): void {
  const group = program.command('list').description('list users, keys, bindings, channels or holders');
  for (const add of [addUsers, addKeys, addBindings, addChannels, addHolders]) add(group, tools);
}

function addUsers(group: Command, tools: Tools): void {
  interface Options extends Page {
    accountHolder?: string;
    subject?: string;
    disabled?: boolean;
  }
  const command = paged(group.command('users'))
    .description('list users, and whether they are disabled')
    .option('--account-holder <id>', 'only users of this account holder', textOption)
    .option('--subject <text>', 'only users with this subject at their issuer', textOption)
    .option('--disabled', 'only disabled users')
    .action(async ({ accountHolder: accountHolderId, ...filter }: Options) => {
      const { users } = await tools.powers(({ identity }) => identity.ListUsers({ ...filter, accountHolderId }));
      printPage(tools, 'users', users, ({ id }) => id, filter);
    });
  withExamples(command, 'list users --subject anna', 'list users --disabled');
}

function addKeys(group: Command, tools: Tools): void {
  interface Options extends Page {
    user?: string;
    accountHolder?: string;
    madeWith?: string;
  }
  const command = paged(group.command('keys'))
    .description('list API keys and registry keys, without their secrets')
    .option('--user <id>', 'only keys of this user, or created by them', textOption)
    .option('--account-holder <id>', 'only registry keys of this account holder', textOption)
    .option('--made-with <id>', 'only keys created with this API key', textOption)
    .action(async ({ user: userId, accountHolder: accountHolderId, madeWith: madeWithKeyId, ...page }: Options) => {
      const request = { ...page, userId, accountHolderId, madeWithKeyId };
      const { keys } = await tools.powers(({ identity }) => identity.ListKeys(request));
      printPage(tools, 'keys', keys, ({ id }) => id, page);
    });
  withExamples(command, 'list keys --user <id>', 'list keys --made-with <id>');
}

function addBindings(group: Command, tools: Tools): void {
  interface Options extends Page {
    salesChannel?: string;
    user?: string;
    role?: string;
  }
  const command = paged(group.command('bindings'))
    .description('list the users of sales channels, with their roles')
    .option('--sales-channel <id>', 'only bindings to this sales channel', textOption)
    .option('--user <id>', 'only the binding of this user', textOption)
    .addOption(new Option('--role <role>', 'only bindings with this role').choices(roles))
    .action(async ({ salesChannel: salesChannelId, user: userId, ...page }: Options) => {
      const { bindings } = await tools.powers(({ rbac }) => rbac.ListBindings({ ...page, salesChannelId, userId }));
      printPage(tools, 'bindings', bindings, (binding) => binding.userId, page);
    });
  withExamples(command, 'list bindings --sales-channel <id>', 'list bindings --role ROLE_ADMINISTRATOR');
}

const statusOption = (...statuses: string[]) =>
  new Option('--status <status>', 'only those with this status').choices(statuses);

function addChannels(group: Command, { powers, print }: Tools): void {
  const command = group
    .command('channels')
    .description('list all sales channels, and whether they are suspended or closed')
    .addOption(statusOption(...channelStatuses))
    .action(async ({ status }: { status?: string }) => {
      const { salesChannels } = await powers(({ rbac }) => rbac.ListSalesChannels({}));
      const channels = salesChannels.map(withOperatorStatus);
      print({ channels: channels.filter((channel) => status === undefined || channel.status === status) });
    });
  withExamples(command, 'list channels', 'list channels --status SUSPENDED');
}

function addHolders(group: Command, tools: Tools): void {
  interface Options extends Page {
    businessId?: string;
    kind?: string;
    status?: string;
  }
  const command = paged(group.command('holders'))
    .description('list account holders, their kind, and whether they are suspended')
    .option('--business-id <text>', 'only the account holder with this business id', textOption)
    .addOption(new Option('--kind <kind>', 'only account holders of this kind').choices(['HOLDER', 'REGISTRY']))
    .addOption(statusOption('ACTIVE', 'SUSPENDED'))
    .action(async (filter: Options) => {
      const found = await tools.powers(({ accountHolders }) => accountHolders.FindAccountHolders({ ...filter }));
      printPage(tools, 'holders', found.accountHolders, ({ accountHolderId }) => accountHolderId, filter);
    });
  withExamples(command, 'list holders --kind REGISTRY', 'list holders --business-id FI-1');
}

export function addLookUp(program: Command, { lookUp, print, warn }: Tools): void {
  const command = program
    .command('look-up')
    .description('show what an id refers to and what it belongs to; queries every service')
    .argument('<id>', 'id of a user, key, channel, holder, trader, task, …, or code of a facility')
    .action(async (id: string) => {
      const { found, unreachable } = await lookUp(id);
      for (const service of unreachable) warn(`${service} cannot be reached, so its records are not shown.`);
      if (found.length === 0) throw new Error('No service that can be reached has a record with this id.');
      print(found);
    });
  withExamples(command, 'look-up cm7q0d1m20001x9f2k3v6w0zt');
}
