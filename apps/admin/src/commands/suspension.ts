import { Argument, type Command } from 'commander';
import { requireKnown, reasonOption, withExamples } from '../options.ts';
import type { Tools } from '../tools.ts';

const CHANNEL = 'id of the sales channel';
const HOLDER = 'id of the account holder';

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
    .action(async (salesChannelId: string) =>
      print(
        await requireKnown(
          'sales channel',
          powers(({ rbac }) => rbac.ResumeSalesChannel({ salesChannelId })),
        ),
      ),
    );
  withExamples(command, 'resume-channel <id>');
}

export function addSuspendHolder(program: Command, { powers, print }: Tools): void {
  const command = program
    .command('suspend-holder')
    .description('freeze all certificates of an account holder and reject its registry keys')
    .argument('<holder>', HOLDER)
    .addOption(reasonOption())
    .action(async (accountHolderId: string, { reason }: { reason: string }) => {
      const suspended = powers((all) => all.accountHolders.SuspendAccountHolder({ accountHolderId, reason }));
      print(await requireKnown('account holder', suspended));
    });
  withExamples(command, 'suspend-holder <id> --reason "under investigation"');
}

export function addResumeHolder(program: Command, { powers, print }: Tools): void {
  const command = program
    .command('resume-holder')
    .description('end the suspension of an account holder')
    .argument('<holder>', HOLDER)
    .action(async (accountHolderId: string) => {
      const resumed = powers(({ accountHolders }) => accountHolders.ResumeAccountHolder({ accountHolderId }));
      print(await requireKnown('account holder', resumed));
    });
  withExamples(command, 'resume-holder <id>');
}

export function addSetKind(program: Command, { powers, print }: Tools): void {
  const command = program
    .command('set-kind')
    .description('make an account holder a registry, whose users can create registry keys, or a plain holder again')
    .argument('<holder>', HOLDER)
    .addArgument(new Argument('<kind>', 'kind of the account holder').choices(['REGISTRY', 'HOLDER']))
    .action(async (accountHolderId: string, kind: string) => {
      const set = powers(({ accountHolders }) => accountHolders.SetKind({ accountHolderId, kind }));
      print(await requireKnown('account holder', set));
    });
  withExamples(command, 'set-kind <id> REGISTRY', 'set-kind <id> HOLDER');
}
