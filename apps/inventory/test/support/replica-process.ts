import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

const main = new URL('../../src/main.ts', import.meta.url).pathname;

/** The service as a separate process, on the database and queues of a test. */
export interface ReplicaProcess {
  /** kill -STOP. Connections stay open. */
  freeze(): void;
  thaw(): void;
  /** kill -9 */
  kill(): Promise<void>;
}

/** @param variables complete environment of the service */
export async function startReplicaProcess(variables: Readonly<Record<string, string>>): Promise<ReplicaProcess> {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const child = spawn(process.execPath, [main, 'serve'], {
    env: { PATH, NODE_COMPILE_CACHE, ...variables },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const line of createInterface({ input: child.stdout })) {
    if ((JSON.parse(line) as { address?: string }).address === undefined) continue;
    child.stdout.resume();
    return {
      freeze: () => void child.kill('SIGSTOP'),
      thaw: () => void child.kill('SIGCONT'),
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
