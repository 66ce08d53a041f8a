import type { Powers } from '@saleschannel/edge/administration';
import type { AuditedService } from '@saleschannel/contracts';
import type { ServiceClient, Credentials } from '@saleschannel/grpc';
import type { AnswersInMemory } from '@saleschannel/idempotency/in-memory';
import type { Addresses } from './environment.ts';
import type { DeadLetterDesk } from './dead-letter-access.ts';
import type { Watch } from './watch/watch.ts';

/** Dependencies of the operations. */
export interface Context {
  readonly powers: Powers;
  readonly audit: Readonly<Record<AuditedService, ServiceClient<'auditLog'>>>;
  /** Clients that count open work of a sales channel. */
  readonly use: {
    readonly tasks: ServiceClient<'channelTasks'>;
    readonly inventory: ServiceClient<'channelUse'>;
  };
  /** For calls of every service. */
  readonly connection: { readonly addresses: Addresses; readonly tokens: Credentials };
  readonly deadLetters: DeadLetterDesk;
  /** Answers to replays of dead letters, by idempotency key. */
  readonly answers: AnswersInMemory;
  readonly watch: Watch;
}
