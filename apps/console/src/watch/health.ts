import { createHealthProbe, LIVENESS, type Credentials, type HealthProbe } from '@saleschannel/grpc';
import { serviceNames, type Addresses, type ServiceName } from '../environment.ts';

/** A service that has stopped is seen within five seconds: the time between two rounds, and this. */
export const PROBE_TIMEOUT_MS = 1_500;

/** IMPAIRED: the process is well, and what it stands on cannot be used. UNKNOWN: it was not asked yet. */
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

/** Asks every service whether it is well, by the standard health protocol, and remembers since when. */
export class HealthWatch {
  readonly #probes: ReadonlyMap<ServiceName, Probes>;
  readonly #now: () => number;
  readonly #known = new Map<string, PartHealth>();

  constructor({ addresses, tokens }: { addresses: Addresses; tokens: Credentials }, now: () => number) {
    this.#now = now;
    this.#probes = new Map(
      serviceNames.map((name) => {
        const tls = tokens.tls && { own: tokens.tls, receiver: name };
        const probe = (of?: string) => createHealthProbe(addresses[name], { tls, ...(of !== undefined && { of }) });
        return [name, { ready: probe(), alive: probe(LIVENESS) }];
      }),
    );
    for (const name of serviceNames) this.#note(name, 'SERVICE', 'UNKNOWN');
    this.#note('broker', 'BROKER', 'UNKNOWN');
  }

  get parts(): readonly PartHealth[] {
    return [...this.#known.values()];
  }

  async look(): Promise<void> {
    await Promise.all(
      [...this.#probes].map(async ([name, { ready, alive }]) => {
        const [isReady, isAlive] = await Promise.all([
          ready.isServing(PROBE_TIMEOUT_MS),
          alive.isServing(PROBE_TIMEOUT_MS),
        ]);
        this.#note(name, 'SERVICE', isReady ? 'UP' : isAlive ? 'IMPAIRED' : 'DOWN');
      }),
    );
  }

  noteBroker(isUp: boolean): void {
    this.#note('broker', 'BROKER', isUp ? 'UP' : 'DOWN');
  }

  close(): void {
    for (const { ready, alive } of this.#probes.values()) {
      ready.close();
      alive.close();
    }
  }

  #note(name: string, kind: PartHealth['kind'], status: HealthStatus): void {
    const checkedAt = new Date(this.#now()).toISOString();
    const known = this.#known.get(name);
    const since = known?.status === status ? known.since : checkedAt;
    this.#known.set(name, { name, kind, status, since, checkedAt });
  }
}
