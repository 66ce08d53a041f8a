import type { Actor } from '@saleschannel/contracts';
import { canonicalText } from '@saleschannel/primitives';
import { hash as digest } from 'node:crypto';
import type { AuditAction } from './actions.ts';
import { actorFor } from './actor.ts';

/** What something was before or after an act. No secrets, and no personal data: names of members stand for it. */
export type State = Readonly<Record<string, unknown>>;

/** An act to be recorded. */
export interface Act {
  /** Whose trails it belongs to: sales channels' ids, `REGISTRY_SCOPE` or `INSTALLATION_SCOPE`. */
  readonly scopes: readonly string[];
  readonly actor: Actor;
  readonly action: AuditAction;
  readonly subject: { readonly type: string; readonly id: string };
  readonly before?: State | undefined;
  readonly after?: State | undefined;
}

/** Where a chain ends. */
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

/** The hash that the first event of a chain names. */
const NO_HASH = '0'.repeat(64);

/**
 * The next event of a chain. Its hash is the SHA-256 of its canonical JSON (RFC 8785), which holds the hash of the
 * event before it: whoever has one hash can tell whether anything before it was changed, taken out or put in.
 */
export function nextLink(scope: string, { sequence, hash, occurredAt }: Link, act: Act): ChainedEvent {
  const { requestId, address, ...actor } = actorFor(scope, act.actor);
  const event = canonicalText({
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
