import type { MethodDefinition } from '@grpc/grpc-js';
import { service } from 'grpc-health-check';
import { openChannel } from './channels.ts';
import { READINESS } from './health-status.ts';
import type { Tls } from './tls.ts';

interface HealthProbeOptions {
  /** What is asked for: the server as a whole, as for readiness checks, or LIVENESS. */
  readonly of?: string;
  /** What this program shows, and the program that it asks. Undefined: plaintext. */
  readonly tls?: { readonly own: Tls; readonly receiver: string } | undefined;
}

export interface HealthProbe {
  /** Whether the service at the address takes calls. An answer that is late counts as no. Never throws. */
  isServing(timeoutMs: number): Promise<boolean>;
  close(): void;
}

/** Asks a service by the standard health protocol (grpc.health.v1). */
export function createHealthProbe(address: string, { of = READINESS, tls }: HealthProbeOptions = {}): HealthProbe {
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
          { service: of },
          { deadline: Date.now() + timeoutMs },
          (error, answer) => resolve(!error && (answer?.status === 'SERVING' || answer?.status === 1)),
        );
      }),
    close: () => channel.close(),
  };
}
