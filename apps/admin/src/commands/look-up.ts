import type { Command } from 'commander';
import { withExamples } from '../options.ts';
import type { Tools } from '../tools.ts';

export function addLookUp(program: Command, { lookUp, print, warn }: Tools): void {
  const command = program
    .command('look-up')
    .description('say what an id names and where it belongs; every service is asked')
    .argument('<id>', 'of a user, key, channel, holder, trader, task, …, or the code of a facility')
    .action(async (id: string) => {
      const { found, unreachable } = await lookUp(id);
      for (const service of unreachable) warn(`${service} cannot be reached: what it keeps is not shown`);
      if (found.length === 0) throw new Error('nothing that could be asked about bears this id');
      print(found);
    });
  withExamples(command, 'look-up cm7q0d1m20001x9f2k3v6w0zt');
}
