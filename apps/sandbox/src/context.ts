import type { ServiceClient } from '@saleschannel/grpc';
import type { AnswersInMemory } from '@saleschannel/idempotency/in-memory';
import type { Registry } from './neighbours/registry.ts';

/** What the RPCs work with. */
export interface Context {
  readonly registry: Registry;
  readonly traders: ServiceClient<'traders'>;
  readonly tasks: ServiceClient<'tasks'>;
  readonly rbac: ServiceClient<'rbac'>;
  readonly endpoints: ServiceClient<'endpointSandbox'>;
  readonly standing: ServiceClient<'accountHolderAdministration'>;
  /** Of triggers. */
  readonly answers: AnswersInMemory;
}
