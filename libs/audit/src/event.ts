import type { Actor } from '@saleschannel/contracts';
import { toCanonicalText } from '@saleschannel/primitives';
import { hash as digest } from 'node:crypto';
import type { AuditAction } from './actions.ts';
import { reduceActor } from './actor.ts';

/**
 * State of a subject before or after an act, without secrets and personal data: member names stand for their values.
 */
export type State = Readonly<Record<string, unknown>>;

/** An act to be recorded. */
export interface Act {
  /** Owners of the trails: ids of sales channels, `REGISTRY_SCOPE` or `INSTALLATION_SCOPE`. */
  readonly scopes: readonly string[];
  readonly actor: Actor;
  readonly action: AuditAction;
  readonly subject: { readonly type: string; readonly id: string };
  readonly before?: State | undefined;
  readonly after?: State | undefined;
}

/** End of a chain. */
export interface Link {
  readonly sequence: bigint;
  /** Undefined before the first event. */
  readonly hash: Buffer | undefined;
  /** ISO 8601 in UTC with milliseconds. */
  readonly occurredAt: string;
}

/** An event as it is stored. */
export interface ChainedEvent {
  readonly scope: string;
  readonly sequence: bigint;
  readonly occurredAt: string;
  readonly event: string;
  readonly hash: Buffer;
}

/** Previous hash of the first event of a chain. */
const NO_HASH = '0'.repeat(64);

/**
 * Creates the next event of a chain. Its hash is the SHA-256 of its canonical JSON (RFC 8785), which contains the
 * previous event's hash, so one hash is enough to detect any change, removal or insertion before it.
 */
export function createNextEvent(scope: string, { sequence, hash, occurredAt }: Link, act: Act): ChainedEvent {
  const { requestId, address, ...actor } = reduceActor(scope, act.actor);
  const event = toCanonicalText({
    scope,
    sequence: Number(sequence),
    occurredAt,
    previousHash: hash?.toString('hex') ?? NO_HASH,
    action: act.action,
    actor,
    subject: act.subject,
    address: address ?? null,
    requestId: requestId ?? null,
    before: act.before ?? null,
    after: act.after ?? null,
  });
  return { scope, sequence, occurredAt, event, hash: digest('sha256', event, 'buffer') };
}
