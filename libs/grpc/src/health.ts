import { setTimeout as delay } from 'node:timers/promises';
import { Server, ServerCredentials, type MethodDefinition } from '@grpc/grpc-js';
import { HealthImplementation, service } from 'grpc-health-check';
import type { Logger, Part } from '@saleschannel/runtime';
import { openChannel } from './channels.ts';
import { listen } from './listening.ts';
import type { Foundation } from './serving.ts';
import type { Tls } from './tls.ts';

/** Name under which health reports whether the whole server should receive calls. */
const READINESS = '';

/**
 * Name under which health reports whether the process works. A process recovers by itself when its database does, so a
 * database outage is no reason to restart it.
 */
export const LIVENESS = 'liveness';

const INTERVAL_MS = 2_000;

interface Options {
  readonly foundation?: Pick<Foundation, 'isUsable'>;
  /** Name of the foundation in the log. */
  readonly what?: string;
  readonly healthIntervalMs?: number;
  readonly logger: Logger;
}

/**
 * Serves grpc.health.v1. The whole server is SERVING while its foundation is usable, and `liveness` while the process
 * answers.
 */
export function createHealth(
  servers: readonly Server[],
  { foundation, what = 'the database', healthIntervalMs = INTERVAL_MS, logger }: Options,
): Part {
  const health = new HealthImplementation({ [READINESS]: 'NOT_SERVING', [LIVENESS]: 'NOT_SERVING' });
  for (const server of servers) health.addToServer(server);
  const stopping = new AbortController();
  let isServing = false;

  async function check(isUsable: () => Promise<boolean>): Promise<void> {
    const wasServing = isServing;
    isServing = await isUsable();
    if (stopping.signal.aborted || wasServing === isServing) return;
    health.setStatus(READINESS, isServing ? 'SERVING' : 'NOT_SERVING');
    if (isServing) logger.info(`${what} is usable: accepting calls`);
    else logger.error(`${what} is unusable: accepting no calls until it recovers`);
  }

  async function watch(isUsable: () => Promise<boolean>): Promise<void> {
    while (!stopping.signal.aborted) {
      await delay(healthIntervalMs, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined);
      if (!stopping.signal.aborted) await check(isUsable);
    }
  }

  return {
    async start() {
      health.setStatus(LIVENESS, 'SERVING');
      const isUsable = foundation ? () => foundation.isUsable() : () => Promise.resolve(true);
      await check(isUsable);
      if (foundation) void watch(isUsable);
    },
    stop() {
      stopping.abort();
      health.setStatus(READINESS, 'NOT_SERVING');
      return Promise.resolve();
    },
  };
}

export interface HealthServerOptions {
  readonly host: string;
  /** 0 chooses a free port. */
  readonly port: number;
  /** Whether the process is usable now. Never throws. */
  readonly isUsable: () => Promise<boolean>;
  readonly logger: Logger;
}

/** Creates a plaintext server that serves only the health of a process, at a port of its own. */
export function createHealthServer({ host, port, isUsable, logger }: HealthServerOptions): Part {
  const server = new Server();
  const health = createHealth([server], { foundation: { isUsable }, what: 'each service', logger });
  return {
    async start() {
      await listen(server, { host, port }, ServerCredentials.createInsecure());
      await health.start();
    },
    async stop() {
      await health.stop();
      server.forceShutdown();
    },
  };
}

interface HealthProbeOptions {
  /** Name of the checked health: LIVENESS, or by default the whole server, as for readiness checks. */
  readonly checkName?: string;
  /** Credentials of this program, and the name of the called program. Undefined for plaintext. */
  readonly tls?: { readonly own: Tls; readonly receiver: string } | undefined;
}

export interface HealthProbe {
  /** Whether the service at the address accepts calls. No timely answer means no. Never throws. */
  isServing(timeoutMs: number): Promise<boolean>;
  close(): void;
}

/** Creates a probe that uses the standard health protocol (grpc.health.v1). */
export function createHealthProbe(
  address: string,
  { checkName = READINESS, tls }: HealthProbeOptions = {},
): HealthProbe {
  const options = {
    'grpc.initial_reconnect_backoff_ms': 100,
    'grpc.max_reconnect_backoff_ms': 1_000,
    'grpc.service_config_disable_resolution': 1,
  };
  const channel = openChannel(address, { tls, options });
  const { path, requestSerialize, responseDeserialize } = service['Check'] as MethodDefinition<
    { service: string },
    { status: string | number }
  >;
  return {
    isServing: (timeoutMs) =>
      new Promise((resolve) => {
        channel.makeUnaryRequest(
          path,
          requestSerialize,
          responseDeserialize,
          { service: checkName },
          { deadline: Date.now() + timeoutMs },
          (error, answer) => resolve(!error && (answer?.status === 'SERVING' || answer?.status === 1)),
        );
      }),
    close: () => channel.close(),
  };
}
