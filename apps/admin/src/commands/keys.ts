import { randomBytes } from 'node:crypto';
import { generateServiceKeys, keyHolders, publicKeysSchema } from '@saleschannel/auth';
import type { Command } from 'commander';
import { fileOption, RequiredOption, requireKnown, withExamples, withUserOptions } from '../options.ts';
import type { Tools } from '../tools.ts';

const PEPPER_BYTES = 32;

/** Reads a file with the value of SERVICE_PUBLIC_KEYS. */
const publicKeysOption = fileOption((text) => publicKeysSchema.parse(JSON.parse(text)));

export function addKeys(program: Command, { print }: Tools): void {
  const keys = program.command('keys').description('generate the secrets of a deployment: keys generate');
  const command = keys
    .command('generate')
    .description('generate the keys with which services authenticate each other, and the pepper of stored keys')
    .option(
      '--beside <file>',
      'generate keys to replace those of this file, which holds the current SERVICE_PUBLIC_KEYS, and no pepper',
      publicKeysOption,
    )
    .action(async ({ beside }: { beside?: ReturnType<typeof publicKeysOption> }) => {
      const { privateKeys, publicKeys } = await generateServiceKeys(keyHolders);
      print(
        beside
          ? {
              SERVICE_PUBLIC_KEYS: { keys: [...beside.keys, ...publicKeys.keys] },
              SERVICE_PRIVATE_KEY: privateKeys,
              SERVICE_PUBLIC_KEYS_AFTERWARDS: publicKeys,
            }
          : {
              SERVICE_PUBLIC_KEYS: publicKeys,
              SERVICE_PRIVATE_KEY: privateKeys,
              API_KEY_PEPPER: randomBytes(PEPPER_BYTES).toString('base64'),
            },
      );
    });
  withExamples(command, 'keys generate', 'keys generate --beside public-keys.json');
}

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

export function addRevokeKey(program: Command, { powers, print, warn }: Tools): void {
  const command = program
    .command('revoke-key')
    .description('delete an API key or registry key, and every key created with it')
    .argument('<key>', 'id of the key, which is the user name in Basic authentication')
    .action(async (keyId: string) => {
      const { keyIds } = await powers(({ identity }) => identity.RevokeKey({ keyId }));
      if (keyIds.length === 0) warn('There is no such key. It may already be revoked.');
      print({ revoked: keyIds });
    });
  withExamples(command, 'revoke-key <id>');
}

export function addRevokeUserKeys(program: Command, { powers, print }: Tools): void {
  const command = program
    .command('revoke-user-keys')
    .description('delete all API keys of a user, and the registry keys that they created')
    .argument('<user>', 'id of the user, as "list users" shows it')
    .action(async (userId: string) => {
      const revoking = powers(({ identity }) => identity.RevokeUserKeys({ userId }));
      const { keyIds } = await requireKnown('user', revoking);
      print({ revoked: keyIds });
    });
  withExamples(command, 'revoke-user-keys <id>');
}
