import type { Command } from 'commander';
import { withExamples } from '../options.ts';
import type { Tools } from '../tools.ts';

export function addLookUp(program: Command, { lookUp, print, warn }: Tools): void {
  const command = program
    .command('look-up')
    .description('show what an id refers to and what it belongs to; queries every service')
    .argument('<id>', 'id of a user, key, channel, holder, trader, task, …, or code of a facility')
    .action(async (id: string) => {
      const { found, unreachable } = await lookUp(id);
      for (const service of unreachable) warn(`${service} cannot be reached, so its records are not shown.`);
      if (found.length === 0) throw new Error('No service that can be reached has a record with this id.');
      print(found);
    });
  withExamples(command, 'look-up cm7q0d1m20001x9f2k3v6w0zt');
}
