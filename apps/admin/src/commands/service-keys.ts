import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { InvalidArgumentError, type Command } from 'commander';
import { generateServiceKeys, keyHolders, publicKeysSchema } from '@saleschannel/auth';
import { withExamples } from '../options.ts';
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
