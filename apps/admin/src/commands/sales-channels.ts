import { withOperatorStatus } from '@saleschannel/edge/administration';
import type { Command } from 'commander';
import { requireKnown, reasonOption, RequiredOption, withExamples } from '../options.ts';
import type { Tools } from '../tools.ts';

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
    .argument('<channel>', 'id of the sales channel')
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
    .argument('<channel>', 'id of the sales channel')
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
