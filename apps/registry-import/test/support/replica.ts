import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { identityVariables } from '@saleschannel/testing';

const main = new URL('../../src/main.ts', import.meta.url).pathname;

/** The service as a process of its own, which can be killed. */
export interface Replica {
  readonly address: string;
  /** kill -9 */
  kill(): Promise<void>;
}

const spawned = (variables: Record<string, string>, command: string): ChildProcess =>
  spawn(process.execPath, [main, command], {
    env: { PATH: process.env['PATH'], ...identityVariables('registry-import'), ...variables },
    stdio: ['ignore', 'pipe', 'inherit'],
  });

export async function migrate(variables: Record<string, string>): Promise<void> {
  const child = spawned({ ...variables, LOG_LEVEL: 'warn' }, 'migrate');
  const [code] = (await once(child, 'exit')) as [number];
  if (code !== 0) throw new Error(`migrate ended with ${code}`);
}

export async function startReplica(variables: Record<string, string>): Promise<Replica> {
  const child = spawned(variables, 'serve');
  for await (const line of createInterface({ input: child.stdout as NodeJS.ReadableStream })) {
    const { address } = JSON.parse(line) as { address?: string };
    if (!address) continue;
    child.stdout?.resume();
    return {
      address,
      async kill() {
        if (child.exitCode !== null || child.signalCode !== null) return;
        const exit = once(child, 'exit');
        child.kill('SIGKILL');
        await exit;
      },
    };
  }
  throw new Error('the replica did not start');
}
