import { withOperatorStatus } from '@saleschannel/edge/administration';
import type { Command } from 'commander';
import { reasonOption, RequiredOption, requireKnown, withExamples } from '../options.ts';
import type { Tools } from '../tools.ts';

const CHANNEL = 'id of the sales channel';

export function addCreateSalesChannel(program: Command, { administration, print }: Tools): void {
  const command = program
    .command('create-sales-channel')
    .description('create a sales channel with a unique name; each call creates another one')
    .addOption(new RequiredOption('--name <text>', 'display name'))
    .action(async ({ name }: { name: string }) =>
      print(await administration((admin) => admin.createSalesChannel(name))),
    );
  withExamples(command, 'create-sales-channel --name "Nordic Removals"');
}

export function addRenameChannel(program: Command, { powers, print }: Tools): void {
  const command = program
    .command('rename-channel')
    .description('rename a sales channel; names are unique')
    .argument('<channel>', CHANNEL)
    .addOption(new RequiredOption('--name <text>', 'new display name'))
    .addOption(reasonOption())
    .action(async (salesChannelId: string, { name, reason }: { name: string; reason: string }) => {
      const renamed = powers(({ rbac }) => rbac.RenameSalesChannel({ salesChannelId, name, reason }));
      print(await requireKnown('sales channel', renamed));
    });
  withExamples(command, 'rename-channel <id> --name "Nordic Removals" --reason "new brand"');
}

export function addCloseChannel(program: Command, { powers, print }: Tools): void {
  const command = program
    .command('close-channel')
    .description('close a suspended sales channel permanently; it must have nothing open')
    .argument('<channel>', CHANNEL)
    .addOption(reasonOption())
    .action(async (salesChannelId: string, { reason }: { reason: string }) => {
      const closed = powers(({ rbac }) => rbac.CloseSalesChannel({ salesChannelId, reason }));
      print(withOperatorStatus(await requireKnown('sales channel', closed)));
    });
  withExamples(command, 'close-channel <id> --reason "contract ended"');
}

export function addListSalesChannels(program: Command, { administration, print }: Tools): void {
  const command = program
    .command('list-sales-channels')
    .description('list all sales channels')
    .action(async () => print((await administration((admin) => admin.listSalesChannels())).map(withOperatorStatus)));
  withExamples(command, 'list-sales-channels');
}

export function addSuspendChannel(program: Command, { powers, print }: Tools): void {
  const command = program
    .command('suspend-channel')
    .description('make a sales channel read-only; transactions that wait for approval stay')
    .argument('<channel>', CHANNEL)
    .addOption(reasonOption())
    .action(async (salesChannelId: string, { reason }: { reason: string }) => {
      const suspended = powers(({ rbac }) => rbac.SuspendSalesChannel({ salesChannelId, reason }));
      print(await requireKnown('sales channel', suspended));
    });
  withExamples(command, 'suspend-channel <id> --reason "by order of the court"');
}

export function addResumeChannel(program: Command, { powers, print }: Tools): void {
  const command = program
    .command('resume-channel')
    .description('end the suspension of a sales channel')
    .argument('<channel>', CHANNEL)
    .action(async (salesChannelId: string) => {
      const resumed = powers(({ rbac }) => rbac.ResumeSalesChannel({ salesChannelId }));
      print(await requireKnown('sales channel', resumed));
    });
  withExamples(command, 'resume-channel <id>');
}
