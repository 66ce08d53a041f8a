import type { Command } from 'commander';
import { RequiredOption, withExamples } from '../options.ts';
import type { Tools } from '../tools.ts';

export function addCreateSalesChannel(program: Command, { administration, print }: Tools): void {
  const command = program
    .command('create-sales-channel')
    .description('make a sales channel; each call makes another one')
    .addOption(new RequiredOption('--name <text>', 'its name, for people'))
    .action(async ({ name }: { name: string }) =>
      print(await administration((admin) => admin.createSalesChannel(name))),
    );
  withExamples(command, 'create-sales-channel --name "Nordic Removals"');
}

export function addListSalesChannels(program: Command, { administration, print }: Tools): void {
  const command = program
    .command('list-sales-channels')
    .description('list all sales channels')
    .action(async () => print(await administration((admin) => admin.listSalesChannels())));
  withExamples(command, 'list-sales-channels');
}
