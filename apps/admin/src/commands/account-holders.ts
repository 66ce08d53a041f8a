import { Option, type Command } from 'commander';
import { RequiredOption, textOption, withExamples, withUserOptions } from '../options.ts';
import type { Tools } from '../tools.ts';

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
