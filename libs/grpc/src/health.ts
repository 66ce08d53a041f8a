import { Client as GrpcClient, credentials, type MethodDefinition } from '@grpc/grpc-js';
import { service } from 'grpc-health-check';
import { READINESS } from './health-status.ts';

export interface HealthProbe {
  /** Whether the service at the address takes calls. An answer that is late counts as no. Never throws. */
  isServing(timeoutMs: number): Promise<boolean>;
  close(): void;
}

/**
 * Asks a service by the standard health protocol (grpc.health.v1).
 * @param of what is asked for: the server as a whole, as for readiness checks, or LIVENESS
 */
export function createHealthProbe(address: string, of = READINESS): HealthProbe {
  const channel = new GrpcClient(address, credentials.createInsecure(), {
    'grpc.initial_reconnect_backoff_ms': 100,
    'grpc.max_reconnect_backoff_ms': 1_000,
  });
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
