import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { identityVariables } from '@saleschannel/testing';

const main = new URL('../../src/main.ts', import.meta.url).pathname;

/** The service in its own process, which can be killed. */
export interface Replica {
  readonly address: string;
  /** kill -9 */
  kill(): Promise<void>;
}

export async function startReplica(variables: Record<string, string>): Promise<Replica> {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const child = spawn(process.execPath, [main, 'serve'], {
    env: { PATH, NODE_COMPILE_CACHE, ...identityVariables('registry-import'), ...variables },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const line of createInterface({ input: child.stdout })) {
    const { address } = JSON.parse(line) as { address?: string };
    if (!address) continue;
    child.stdout.resume();
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
  throw new Error('The replica did not start.');
}
