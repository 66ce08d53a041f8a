import { createHealthProbe, LIVENESS, type Credentials, type HealthProbe } from '@saleschannel/grpc';
import { serviceNames, type Addresses, type ServiceName } from '../environment.ts';

/** Short enough to detect a stopped service within five seconds, including the interval between checks. */
export const PROBE_TIMEOUT_MS = 1_500;

/** IMPAIRED: the process is healthy, but a dependency is not. UNKNOWN: not checked yet. */
export type HealthStatus = 'UP' | 'IMPAIRED' | 'DOWN' | 'UNKNOWN';

/** Times are ISO 8601 in UTC. */
export interface PartHealth {
  readonly name: string;
  readonly kind: 'SERVICE' | 'BROKER';
  readonly status: HealthStatus;
  readonly since: string;
  readonly checkedAt: string;
}

interface Probes {
  readonly ready: HealthProbe;
  readonly alive: HealthProbe;
}

/** Checks every service with the standard health protocol, and records the time of each change. */
export class HealthWatch {
  readonly #probes: ReadonlyMap<ServiceName, Probes>;
  readonly #now: () => number;
  readonly #known = new Map<string, PartHealth>();

  constructor({ addresses, tokens }: { addresses: Addresses; tokens: Credentials }, now: () => number) {
    this.#now = now;
    this.#probes = new Map(
      serviceNames.map((name) => {
        const tls = tokens.tls && { own: tokens.tls, receiver: name };
        const probe = (of?: string) =>
          createHealthProbe(addresses[name], { tls, ...(of !== undefined && { checkName: of }) });
        return [name, { ready: probe(), alive: probe(LIVENESS) }];
      }),
    );
    for (const name of serviceNames) this.#record(name, 'SERVICE', 'UNKNOWN');
    this.#record('broker', 'BROKER', 'UNKNOWN');
  }

  get parts(): readonly PartHealth[] {
    return [...this.#known.values()];
  }

  async check(): Promise<void> {
    await Promise.all(
      [...this.#probes].map(async ([name, { ready, alive }]) => {
        const [isReady, isAlive] = await Promise.all([
          ready.isServing(PROBE_TIMEOUT_MS),
          alive.isServing(PROBE_TIMEOUT_MS),
        ]);
        this.#record(name, 'SERVICE', isReady ? 'UP' : isAlive ? 'IMPAIRED' : 'DOWN');
      }),
    );
  }

  recordBroker(isUp: boolean): void {
    this.#record('broker', 'BROKER', isUp ? 'UP' : 'DOWN');
  }

  close(): void {
    for (const { ready, alive } of this.#probes.values()) {
      ready.close();
      alive.close();
    }
  }

  #record(name: string, kind: PartHealth['kind'], status: HealthStatus): void {
    const checkedAt = new Date(this.#now()).toISOString();
    const known = this.#known.get(name);
    const since = known?.status === status ? known.since : checkedAt;
    this.#known.set(name, { name, kind, status, since, checkedAt });
  }
}
