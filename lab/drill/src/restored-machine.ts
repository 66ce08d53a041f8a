import { join } from 'node:path';
import { restorePostgres, type Restored } from '@saleschannel/local-backends';
import { auditRestored, reconcile } from './aftermath.ts';
import type { Archive } from './archive.ts';
import { startInstallation, type Installation } from './installation.ts';
import type { Machine } from './restore-script.ts';

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
