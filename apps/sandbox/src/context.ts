import type { ServiceClient } from '@saleschannel/grpc';
import type { InMemoryAnswers } from '@saleschannel/idempotency/in-memory';
import type { Registry } from './neighbours/registry.ts';

/** Dependencies of the RPCs. */
export interface Context {
  readonly registry: Registry;
  readonly traders: ServiceClient<'traders'>;
  readonly tasks: ServiceClient<'tasks'>;
  readonly rbac: ServiceClient<'rbac'>;
  readonly endpoints: ServiceClient<'endpointSandbox'>;
  readonly holderAdministration: ServiceClient<'accountHolderAdministration'>;
  /** Answers of `Trigger`, by idempotency key. */
  readonly answers: InMemoryAnswers;
}
