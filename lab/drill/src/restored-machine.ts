import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { projectRoot } from '@saleschannel/local';
import { restorePostgres, type Restored } from '@saleschannel/local-backends';
import { auditRestored, reconcile } from './aftermath.ts';
import type { Archive } from './archive.ts';
import { startInstallation, type Installation } from './installation.ts';

/** The Compose commands that deploy/compose/restore.sh uses, executed with processes instead of containers. */
interface Machine {
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

/** Parts of an installation that survive the disaster. */
export interface SurvivingParts {
  readonly archive: Archive;
  readonly secrets: string;
  readonly databasePassword: string;
}

const silent = (): void => undefined;
const secondsSince = (began: number): number => (performance.now() - began) / 1_000;
/** Services that clients connect to. */
const isEdge = (service: string): boolean => /^(gateway|portal)(-2)?$|^proxy$/.test(service);

/** A new machine on which deploy/compose/restore.sh restores an installation. */
export class RestoredMachine implements Machine {
  readonly #kept: SurvivingParts;
  readonly #folder: string;
  readonly #running = new Set<string>();
  readonly #done: string[] = [];
  readonly #seconds: Record<string, number> = {};
  #restored: Restored | undefined;
  #installation: Installation | undefined;

  constructor(kept: SurvivingParts, folder: string) {
    this.#kept = kept;
    this.#folder = folder;
  }

  get restored(): Restored {
    if (!this.#restored) throw new Error('The script did not restore the databases.');
    return this.#restored;
  }

  get installation(): Installation {
    if (!this.#installation) throw new Error('The script did not start the services.');
    return this.#installation;
  }

  /** Seconds per phase, in the order of the script. */
  get phases(): Readonly<Record<string, number>> {
    const { copySeconds, recoverySeconds } = this.restored;
    const { brokerSeconds, servicesSeconds } = this.installation;
    return {
      'base backup': copySeconds,
      log: recoverySeconds,
      broker: brokerSeconds,
      services: servicesSeconds,
      ...this.#seconds,
    };
  }

  isRunning(service: string): boolean {
    return this.#running.has(service);
  }

  stop(): Promise<void> {
    return this.#note('stop', async () => undefined);
  }

  restore(moment: string | undefined): Promise<void> {
    return this.#note('restore', async () => {
      const { archive, databasePassword: password } = this.#kept;
      this.#restored = await restorePostgres({
        dataDirectory: join(this.#folder, 'postgres'),
        log: silent,
        backup: archive.backup(),
        password,
        archive: archive.log,
        ...(moment === undefined ? {} : { until: new Date(moment.replace('+00', 'Z')) }),
      });
    });
  }

  /** Does nothing: the broker of the new installation has no data yet. */
  emptyBroker(): Promise<void> {
    return this.#note('empty the broker', async () => undefined);
  }

  async start(services: readonly string[]): Promise<void> {
    const open = services.filter(isEdge);
    if (open.length > 0) await this.#open(services);
    else await this.#startBehindGateway(services);
    for (const service of services) this.#running.add(service);
  }

  reconcile(): Promise<void> {
    return this.#note('reconcile', () => reconcile(this.installation.stack));
  }

  audit(): Promise<void> {
    return this.#note('audit', async () => {
      await auditRestored(this.installation.stack);
    });
  }

  async end(): Promise<void> {
    await this.#installation?.stop();
    await this.#restored?.server.stop();
  }

  async #startBehindGateway(services: readonly string[]): Promise<void> {
    this.#expectDone('stop', 'restore', 'empty the broker');
    const { secrets } = this.#kept;
    this.#installation ??= await startInstallation(this.#folder, secrets, this.restored.server, { isClosed: true });
    const missing = this.#installation.stack.processes
      .map(({ name }) => name)
      .filter((name) => !services.includes(name));
    // The identity provider is external in production.
    const forgotten = missing.filter((name) => !isEdge(name) && name !== 'dev-idp');
    if (forgotten.length > 0) throw new Error(`The script does not start ${forgotten.join(', ')}.`);
  }

  async #open(services: readonly string[]): Promise<void> {
    this.#expectDone('stop', 'restore', 'empty the broker', 'reconcile', 'audit');
    const edges = ['gateway', 'gateway-2', 'portal', 'portal-2', 'proxy'];
    if (services.toSorted().join() !== edges.toSorted().join())
      throw new Error(`The script opens ${services.join(', ')} instead of ${edges.join(', ')}.`);
    await this.installation.stack.open();
  }

  async #note(step: string, work: () => Promise<void>): Promise<void> {
    const began = performance.now();
    await work();
    this.#done.push(step);
    if (step === 'reconcile' || step === 'audit') this.#seconds[step] = secondsSince(began);
  }

  #expectDone(...steps: string[]): void {
    if (this.#done.join() !== steps.join())
      throw new Error(`The script did "${this.#done.join(', ')}" before, instead of "${steps.join(', ')}".`);
  }
}
