import { Argument, Option, type Command } from 'commander';
import { reasonOption, RequiredOption, requireKnown, textOption, withExamples, withUserOptions } from '../options.ts';
import type { Tools } from '../tools.ts';

const HOLDER = 'id of the account holder';

interface AccountHolderOptions {
  name: string;
  businessId: string;
  postalCode: string;
  city: string;
  country: string;
  street1: string;
  street2?: string;
  manualApproval?: boolean;
}

export function addCreateAccountHolder(program: Command, { administration, print }: Tools): void {
  const command = program
    .command('create-account-holder')
    .description('create an account holder, or find the one with this business id')
    .addOption(new RequiredOption('--name <text>', 'name of the account holder'))
    .addOption(new RequiredOption('--business-id <text>', 'business id, which identifies the account holder'))
    .addOption(new RequiredOption('--postal-code <text>', 'postal code of its address'))
    .addOption(new RequiredOption('--city <text>', 'city of its address'))
    .addOption(new RequiredOption('--country <text>', 'country of its address'))
    .addOption(new RequiredOption('--street1 <text>', 'first street line of its address'))
    .option('--street2 <text>', 'second street line of its address', textOption)
    .option('--manual-approval', 'require approval of its transactions')
    .action(async ({ name, businessId, manualApproval = false, ...address }: AccountHolderOptions) => {
      const fields = { name, businessId, address, autoApproval: !manualApproval };
      print(await administration((admin) => admin.ensureAccountHolder(fields)));
    });
  withExamples(
    command,
    'create-account-holder --name "Biochar Oy" --business-id FI-1 --postal-code 00100 --city Helsinki --country FI' +
      ' --street1 "Katu 1"',
  );
}

interface MembershipOptions {
  issuer: string;
  subject: string;
  accountHolder?: string;
  none?: boolean;
}

export function addSetAccountHolder(program: Command, { administration, print }: Tools): void {
  const command = withUserOptions(program.command('set-account-holder'))
    .description('assign a user to an account holder, for which they can then create registry keys')
    .option('--account-holder <id>', 'id of the account holder', textOption)
    .addOption(new Option('--none', 'remove the user from their account holder instead').conflicts('accountHolder'))
    .action(async ({ accountHolder: accountHolderId, none, ...subject }: MembershipOptions) => {
      if (accountHolderId === undefined && !none) command.error('error: Pass either --account-holder or --none.');
      print(await administration((admin) => admin.setAccountHolder({ ...subject, accountHolderId })));
    });
  withExamples(
    command,
    'set-account-holder --issuer https://id.example --subject bert --account-holder <id>',
    'set-account-holder --issuer https://id.example --subject bert --none',
  );
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
