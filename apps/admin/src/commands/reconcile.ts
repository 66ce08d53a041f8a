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
    .description('republish the status changes that the event log or the tasks lack')
    .option('--channel <id>', 'only this sales channel', textOption)
    .addOption(new Option('--status', 'show the lag of each consumer and change nothing').conflicts('wait'))
    .option('--wait', 'wait until nothing is missing, at most ten minutes')
    .action(async ({ channel: salesChannelId, status = false, wait = false }: Options) =>
      print(await reconciliation((ledger) => ledger.run({ salesChannelId, status, wait }))),
    );
  withExamples(command, 'reconcile', 'reconcile --status', 'reconcile --channel <id> --wait');
}
