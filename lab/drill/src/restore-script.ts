import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { projectRoot } from '@saleschannel/local';

/** The Compose commands that deploy/compose/restore.sh uses, executed with processes instead of containers. */
export interface Machine {
  stop(services: readonly string[]): Promise<void>;
  /** @param moment undefined for the end of the log */
  restore(moment: string | undefined): Promise<void>;
  emptyBroker(): Promise<void>;
  start(services: readonly string[]): Promise<void>;
  reconcile(): Promise<void>;
  audit(): Promise<void>;
  isRunning(service: string): boolean;
}

/** Settings of a production installation. */
const SETTINGS = 'COMPOSE_PROFILES=production\n';

/**
 * Runs deploy/compose/restore.sh, with a machine in place of Docker.
 * @throws Error with the output of the script if it fails
 */
export async function runRestoreScript(folder: string, machine: Machine, ...args: string[]): Promise<void> {
  const checkout = join(folder, 'checkout');
  mkdirSync(join(checkout, 'deploy'), { recursive: true });
  cpSync(join(projectRoot, 'deploy', 'compose'), join(checkout, 'deploy', 'compose'), { recursive: true });
  writeFileSync(join(checkout, '.env'), SETTINGS);
  const server = await listen(machine);
  try {
    const fakeDocker = `${process.execPath} ${join(import.meta.dirname, 'compose-call.ts')}`;
    const docker = join(checkout, 'docker');
    writeFileSync(docker, `#!/bin/sh\nexec ${fakeDocker} "$@"\n`, { mode: 0o755 });
    const { port } = server.address() as AddressInfo;
    await promisify(execFile)('bash', [join(checkout, 'deploy', 'compose', 'restore.sh'), ...args], {
      env: { PATH: process.env['PATH'], COMPOSE: docker, DOCKER: docker, DRILL_URL: `http://127.0.0.1:${port}/` },
    });
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

async function listen(machine: Machine): Promise<Server> {
  const server = createServer((request, response) => {
    void readWords(request)
      .then((words) => execute(words, machine))
      .then(
        (output) => response.end(output),
        (error: unknown) => response.writeHead(500).end(error instanceof Error ? error.message : String(error)),
      );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

async function readWords(request: IncomingMessage): Promise<string[]> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return JSON.parse(text) as string[];
}

/** @returns output of the command. @throws Error for a command that the script is not known to use */
async function execute(words: readonly string[], machine: Machine): Promise<string> {
  const [command = '', ...rest] = words;
  const names = rest.filter((word) => !word.startsWith('-'));
  switch (command) {
    case 'ps':
      return names.filter((name) => machine.isRunning(name)).join('\n');
    // `ps` prints the names of running services as ids.
    case 'inspect':
      return 'true\n';
    case 'stop':
      await machine.stop(names);
      return '';
    case 'up':
      await machine.start(names);
      return '';
    case 'run':
      await runOnce(rest, machine);
      return '';
    default:
      throw new Error(`The drill does not support "${words.join(' ')}".`);
  }
}

async function runOnce(words: readonly string[], machine: Machine): Promise<void> {
  const call = words.filter((word) => !['--rm', '-T', '--no-deps'].includes(word)).join(' ');
  if (call === 'admin reconcile --wait') return machine.reconcile();
  if (call === 'auditor') return machine.audit();
  // Each restore of the drill starts with an empty folder.
  if (call.startsWith('--entrypoint bash postgres -c if [ -e "$PGDATA" ]; then mv ')) return;
  if (call.startsWith('--entrypoint sh rabbitmq -c find ')) return machine.emptyBroker();
  const [, moment] = /^restore(?: (.+))?$/.exec(call) ?? [];
  if (call === 'restore' || moment !== undefined) return machine.restore(moment);
  throw new Error(`The drill does not support "run ${call}".`);
}
