import { Option, type Command } from 'commander';
import { auditedServices, auditOrder, type AuditedService, type AuditOrder } from '@saleschannel/contracts';
import { textOption, withExamples } from '../options.ts';
import type { Tools } from '../tools.ts';

/** Scopes without a sales channel. */
const COMMON_SCOPES = ['installation', 'registry', 'sessions'];

interface Options {
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
    .action(async ({ scope, service, ...range }: Options) => {
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
