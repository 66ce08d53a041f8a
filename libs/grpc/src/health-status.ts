import { setTimeout as delay } from 'node:timers/promises';
import type { Server } from '@grpc/grpc-js';
import { HealthImplementation } from 'grpc-health-check';
import type { Logger, Part } from '@saleschannel/runtime';
import type { Foundation } from './serving.ts';

/** The server as a whole: whether it should be given calls. */
export const READINESS = '';

/**
 * What asks for this name learns whether the process is well. A process recovers by itself when its database does, so
 * nobody has to end it for an outage of that.
 */
export const LIVENESS = 'liveness';

const INTERVAL_MS = 2_000;

interface Options {
  readonly foundation?: Pick<Foundation, 'isUsable'>;
  /** The foundation, for the log. */
  readonly what?: string;
  readonly healthIntervalMs?: number;
  readonly logger: Logger;
}

/**
 * Serves grpc.health.v1. The server as a whole is SERVING while its foundation is usable, and `liveness` as long as the
 * process answers.
 */
export function createHealth(
  servers: readonly Server[],
  { foundation, what = 'the database', healthIntervalMs = INTERVAL_MS, logger }: Options,
): Part {
  const health = new HealthImplementation({ [READINESS]: 'NOT_SERVING', [LIVENESS]: 'NOT_SERVING' });
  for (const server of servers) health.addToServer(server);
  const stopping = new AbortController();
  let isServing = false;

  async function look(isUsable: () => Promise<boolean>): Promise<void> {
    const was = isServing;
    isServing = await isUsable();
    if (stopping.signal.aborted || was === isServing) return;
    health.setStatus(READINESS, isServing ? 'SERVING' : 'NOT_SERVING');
    if (isServing) logger.info(`${what} can be used: taking calls`);
    else logger.error(`${what} cannot be used: taking no calls until it can`);
  }

  async function watch(isUsable: () => Promise<boolean>): Promise<void> {
    while (!stopping.signal.aborted) {
      await delay(healthIntervalMs, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined);
      if (!stopping.signal.aborted) await look(isUsable);
    }
  }

  return {
    async start() {
      health.setStatus(LIVENESS, 'SERVING');
      const isUsable = foundation ? () => foundation.isUsable() : () => Promise.resolve(true);
      await look(isUsable);
      if (foundation) void watch(isUsable);
    },
    stop() {
      stopping.abort();
      health.setStatus(READINESS, 'NOT_SERVING');
      return Promise.resolve();
    },
  };
}
