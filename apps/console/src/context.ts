import type { OperatorClients } from '@saleschannel/edge/administration';
import type { AuditedService } from '@saleschannel/contracts';
import type { ServiceClient, Credentials } from '@saleschannel/grpc';
import type { InMemoryAnswers } from '@saleschannel/idempotency/in-memory';
import type { Addresses } from './environment.ts';
import type { DeadLetterAccess } from './dead-letter-access.ts';
import type { Watch } from './watch/watch.ts';

/** Dependencies of the operations. */
export interface Context {
  readonly operatorClients: OperatorClients;
  readonly audit: Readonly<Record<AuditedService, ServiceClient<'auditLog'>>>;
  /** Clients that count open work of a sales channel. */
  readonly channelUse: {
    readonly tasks: ServiceClient<'channelTasks'>;
    readonly inventory: ServiceClient<'channelUse'>;
  };
  /** For calls of every service. */
  readonly connection: { readonly addresses: Addresses; readonly tokens: Credentials };
  readonly deadLetters: DeadLetterAccess;
  /** Answers to replays of dead letters, by idempotency key. */
  readonly answers: InMemoryAnswers;
  readonly watch: Watch;
}
