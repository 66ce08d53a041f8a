import { randomBytes } from 'node:crypto';
import type { Command } from 'commander';
import { generateServiceKeys, keyHolders } from '@saleschannel/auth';
import { withExamples } from '../options.ts';
import type { Tools } from '../tools.ts';

const PEPPER_BYTES = 32;

export function addKeys(program: Command, { print }: Tools): void {
  const keys = program.command('keys').description('the secrets of a new deployment: keys generate');
  const command = keys
    .command('generate')
    .description('make the keys by which services know each other, and the pepper of stored keys')
    .action(async () => {
      const { privateKeys, publicKeys } = await generateServiceKeys(keyHolders);
      print({
        SERVICE_PUBLIC_KEYS: publicKeys,
        SERVICE_PRIVATE_KEY: privateKeys,
        API_KEY_PEPPER: randomBytes(PEPPER_BYTES).toString('base64'),
      });
    });
  withExamples(command, 'keys generate');
}
