import type { Command } from 'commander';
import { RequiredOption, withExamples, withUserOptions } from '../options.ts';
import type { Tools } from '../tools.ts';

export function addIssueApiKey(program: Command, { administration, print }: Tools): void {
  const command = withUserOptions(program.command('issue-api-key'))
    .description('create an API key for a user, valid for a year; its secret is shown once')
    .action(async ({ issuer, subject }: { issuer: string; subject: string }) =>
      print(await administration((admin) => admin.issueApiKey({ issuer, subject }))),
    );
  withExamples(command, 'issue-api-key --issuer https://id.example --subject anna');
}

export function addIssueRegistryKey(program: Command, { administration, print }: Tools): void {
  const command = program
    .command('issue-registry-key')
    .description('create a registry key for an account holder; its secret is shown once')
    .addOption(new RequiredOption('--account-holder <id>', 'id of the account holder'))
    .addOption(
      new RequiredOption('--expires-at <date-time>', 'expiry, at most two years ahead, such as 2030-01-31T00:00:00Z'),
    )
    .action(async ({ accountHolder, expiresAt }: { accountHolder: string; expiresAt: string }) =>
      print(await administration((admin) => admin.issueRegistryKey({ accountHolderId: accountHolder, expiresAt }))),
    );
  withExamples(command, 'issue-registry-key --account-holder <id> --expires-at 2027-06-01T00:00:00Z');
}
