import { Option, type Command } from 'commander';
import { textOption, withExamples } from '../options.ts';
import type { Tools } from '../tools.ts';

interface Options {
  readonly channel?: string;
  readonly status?: boolean;
  readonly wait?: boolean;
}

export function addReconcile(program: Command, { reconciliation, print }: Tools): void {
  const command = program
    .command('reconcile')
    .description('publish again the changes of status that the event log or the tasks lack')
    .option('--channel <id>', 'of this sales channel alone', textOption)
    .addOption(new Option('--status', 'only show how far each consumer has come').conflicts('wait'))
    .option('--wait', 'until nothing is missing, ten minutes at most')
    .action(async ({ channel: salesChannelId, status = false, wait = false }: Options) =>
      print(await reconciliation((ledger) => ledger.run({ salesChannelId, status, wait }))),
    );
  withExamples(command, 'reconcile', 'reconcile --status', 'reconcile --channel <id> --wait');
}
