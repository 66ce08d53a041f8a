import { globSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { keyHolders } from '@saleschannel/auth';
import type { Contract } from './contract.ts';

const apps = resolve(import.meta.dirname, '../../../../apps');

/** A contract and its program. Operators use several programs under one key. */
interface FoundContract extends Contract {
  readonly program: string;
}

const isKeyHolder = (program: string): boolean => (keyHolders as readonly string[]).includes(program);

/**
 * Finds the contracts of all consumers, or those with one provider. It searches files instead of importing them,
 * because a provider that imports its consumers would be affected by each of their changes.
 */
export async function readContracts(provider = '*'): Promise<FoundContract[]> {
  const files = globSync(`*/test/contracts/${provider}.ts`, { cwd: apps }).sort();
  return Promise.all(
    files.map(async (file) => {
      const { contract } = (await import(pathToFileURL(join(apps, file)).href)) as { contract: Contract };
      const program = file.slice(0, file.indexOf('/'));
      const isTheirs = contract.consumer === program || !isKeyHolder(program);
      if (!isTheirs || contract.provider !== basename(file, '.ts'))
        throw new Error(`apps/${file} is a contract of ${contract.consumer} with ${contract.provider}.`);
      return { ...contract, program };
    }),
  );
}
