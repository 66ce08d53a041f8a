import { withShownStatus } from '@saleschannel/administration';
import type { Command } from 'commander';
import { known, reasonOption, RequiredOption, withExamples } from '../options.ts';
import type { Tools } from '../tools.ts';

export function addCreateSalesChannel(program: Command, { administration, print }: Tools): void {
  const command = program
    .command('create-sales-channel')
    .description('make a sales channel; each call makes another one, under a name that no other has')
    .addOption(new RequiredOption('--name <text>', 'its name, for people'))
    .action(async ({ name }: { name: string }) =>
      print(await administration((admin) => admin.createSalesChannel(name))),
    );
  withExamples(command, 'create-sales-channel --name "Nordic Removals"');
}

export function addRenameChannel(program: Command, { powers, print }: Tools): void {
  const command = program
    .command('rename-channel')
    .description('give a sales channel another name, which no other has')
    .argument('<channel>', 'id of the sales channel')
    .addOption(new RequiredOption('--name <text>', 'its new name, for people'))
    .addOption(reasonOption())
    .action(async (salesChannelId: string, { name, reason }: { name: string; reason: string }) => {
      const renamed = powers(({ rbac }) => rbac.RenameSalesChannel({ salesChannelId, name, reason }));
      print(await known('sales channel', renamed));
    });
  withExamples(command, 'rename-channel <id> --name "Nordic Removals" --reason "new brand"');
}

export function addCloseChannel(program: Command, { powers, print }: Tools): void {
  const command = program
    .command('close-channel')
    .description('close a suspended sales channel for good, when nothing is open on it any more')
    .argument('<channel>', 'id of the sales channel')
    .addOption(reasonOption())
    .action(async (salesChannelId: string, { reason }: { reason: string }) => {
      const closed = powers(({ rbac }) => rbac.CloseSalesChannel({ salesChannelId, reason }));
      print(withShownStatus(await known('sales channel', closed)));
    });
  withExamples(command, 'close-channel <id> --reason "contract ended"');
}

export function addListSalesChannels(program: Command, { administration, print }: Tools): void {
  const command = program
    .command('list-sales-channels')
    .description('list all sales channels')
    .action(async () => print((await administration((admin) => admin.listSalesChannels())).map(withShownStatus)));
  withExamples(command, 'list-sales-channels');
}
