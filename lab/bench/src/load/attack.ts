import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { AttackStart } from './attack-process.ts';

const PROCESS = fileURLToPath(new URL('./attack-process.ts', import.meta.url));

export interface Attack {
  /** Stops it. Returns the number of answers by status. */
  stop(): Promise<Readonly<Record<string, number>>>;
}

/** Starts a separate process that repeats one request. Resolves at its first answer. */
export async function startAttack(start: AttackStart): Promise<Attack> {
  const attacker = fork(PROCESS, []);
  attacker.send(start);
  await once(attacker, 'message');
  return {
    async stop() {
      const firstAnswer = once(attacker, 'message');
      const exited = once(attacker, 'exit');
      attacker.send('stop');
      const [statuses] = (await firstAnswer) as [Record<string, number>];
      await exited;
      return statuses;
    },
  };
}
