import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { InvalidArgumentError, type Command } from 'commander';
import { generateServiceKeys, keyHolders, publicKeysSchema } from '@saleschannel/auth';
import { RequiredOption, withExamples, withUserOptions } from '../options.ts';
import type { Tools } from '../tools.ts';

const PEPPER_BYTES = 32;

type PublicKeys = ReturnType<(typeof publicKeysSchema)['parse']>;

/** Reads a file with the value of SERVICE_PUBLIC_KEYS. @throws InvalidArgumentError */
function publicKeysOption(file: string): PublicKeys {
  try {
    return publicKeysSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    throw new InvalidArgumentError(error instanceof Error ? error.message : String(error));
  }
}

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
    .action(async ({ beside }: { beside?: PublicKeys }) => {
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
