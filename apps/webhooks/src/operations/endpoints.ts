import { recordAudit, type AuditAction } from '@saleschannel/audit';
import type { Sealer } from '@saleschannel/auth';
import type { Actor } from '@saleschannel/contracts';
import type { Database, EntityManager } from '@saleschannel/database';
import { notFound, requestRefused, salesChannelSuspended } from '@saleschannel/errors';
import { newId, type Clock } from '@saleschannel/primitives';
import type { Endpoint, EndpointChange, NewEndpoint } from '../domain/endpoint.ts';
import type { EventLog } from '../neighbours/event-log.ts';
import { holdPending, restartPending } from '../store/deliveries.ts';
import {
  countEndpoints,
  findEndpoint,
  insertEndpoint,
  lockChannel,
  lockEndpoint,
  markDeleted,
  updateEndpoint,
} from '../store/endpoints.ts';
import { isLeft } from '../store/faults.ts';
import { endSecrets, insertSecret } from '../store/secrets.ts';
import { makeSecret } from './secrets.ts';

const HOUR_MS = 3_600_000;
/** More than one old secret that still signs is of somebody who rotates again and again. */
const SECRETS_AT_MOST = 5;

interface Workshop {
  readonly database: Database;
  readonly clock: Clock;
  readonly sealer: Sealer;
}

/** An endpoint and its new secret, which is shown once. */
export interface EndpointWithSecret {
  readonly endpoint: Endpoint;
  readonly secret: string;
}

/** Whose endpoint it is. */
export interface Owned {
  readonly id: string;
  readonly salesChannelId: string;
}

/** What the trail tells of an endpoint. Its secrets it does not. */
export const stateOf = ({ url, eventTypes, ordered, status }: Endpoint) => ({ url, eventTypes, ordered, status });

export const actOn = (action: AuditAction, { id, salesChannelId }: Owned, actor: Actor) => ({
  action,
  actor,
  scopes: [salesChannelId],
  subject: { type: 'webhook-endpoint', id },
});

/**
 * Makes an endpoint, which gets what is recorded from now on. Its secret is known now and never again.
 * @throws DomainError 'request-refused' for too many, 'sales-channel-suspended' for a channel that was left,
 * 'unavailable' when the end of the log cannot be found out
 */
export async function createEndpoint(
  { database, clock, sealer, log }: Workshop & { readonly log: EventLog },
  { salesChannelId, createdBy, atMost }: { salesChannelId: string; createdBy: string; atMost: number },
  wanted: NewEndpoint,
  actor: Actor,
): Promise<EndpointWithSecret> {
  const id = newId();
  const { secret, ...stored } = await makeSecret(sealer, id);
  const position = await log.end(salesChannelId);
  const now = clock.now().toISOString();
  return database.transaction(async (em) => {
    await lockChannel(em, salesChannelId);
    if (await isLeft(em, salesChannelId)) throw salesChannelSuspended();
    if ((await countEndpoints(em, salesChannelId)) >= atMost)
      throw requestRefused(`A sales channel has at most ${atMost} webhook endpoints: delete one first.`);
    insertEndpoint(em, { ...wanted, id, salesChannelId, createdBy, createdAt: now, position });
    insertSecret(em, { ...stored, endpointId: id, createdAt: now });
    const endpoint = await endpointIn(em, { id, salesChannelId }, now);
    await recordAudit(em, [
      { ...actOn('webhooks.endpoint.created', { id, salesChannelId }, actor), after: stateOf(endpoint) },
    ]);
    return { endpoint, secret };
  });
}

async function endpointIn(em: EntityManager, { id, salesChannelId }: Owned, now: string): Promise<Endpoint> {
  const endpoint = await findEndpoint(em, id, salesChannelId, now);
  if (!endpoint) throw notFound();
  return endpoint;
}

/**
 * Does something with an endpoint that nobody else changes meanwhile.
 * @throws DomainError 'not-found' for one of another channel
 */
export const withEndpoint = <T>(
  { database, clock }: Pick<Workshop, 'database' | 'clock'>,
  owned: Owned,
  work: (em: EntityManager, endpoint: Endpoint, now: string) => Promise<T>,
): Promise<T> =>
  database.transaction(async (em) => {
    if (!(await lockEndpoint(em, owned.id, owned.salesChannelId))) throw notFound();
    const now = clock.now().toISOString();
    return work(em, await endpointIn(em, owned, now), now);
  });

/**
 * Changes what is given. One that is enabled again goes on where it was, with what waits for it first.
 * @throws DomainError 'not-found' for one of another channel
 */
export const changeEndpoint = (
  workshop: Pick<Workshop, 'database' | 'clock'>,
  owned: Owned,
  change: EndpointChange,
  actor: Actor,
): Promise<Endpoint> =>
  withEndpoint(workshop, owned, async (em, known, now) => {
    const { url = known.url, eventTypes = known.eventTypes, ordered = known.ordered, status = known.status } = change;
    const description = change.description === undefined ? known.description : change.description;
    const isTurned = status !== known.status;
    const disabledReason =
      isTurned && status === 'DISABLED' ? 'MANUAL' : status === 'ENABLED' ? null : known.disabledReason;
    const failingSince = isTurned && status === 'ENABLED' ? null : known.failingSince;
    const settings = { url, description, eventTypes, ordered, status, disabledReason, failingSince };
    updateEndpoint(em, owned.id, settings, now);
    if (isTurned && status === 'ENABLED') restartPending(em, owned.id, now);
    if (isTurned && status === 'DISABLED') holdPending(em, owned.id);
    const changed = await endpointIn(em, owned, now);
    const [before, after] = [stateOf(known), stateOf(changed)];
    if (JSON.stringify(before) !== JSON.stringify(after) || description !== known.description)
      await recordAudit(em, [{ ...actOn('webhooks.endpoint.updated', owned, actor), before, after }]);
    return changed;
  });

/** @throws DomainError 'not-found' for one of another channel */
export const deleteEndpoint = (
  workshop: Pick<Workshop, 'database' | 'clock'>,
  owned: Owned,
  actor: Actor,
): Promise<Endpoint> =>
  withEndpoint(workshop, owned, async (em, known) => {
    markDeleted(em, [owned.id]);
    await recordAudit(em, [{ ...actOn('webhooks.endpoint.deleted', owned, actor), before: stateOf(known) }]);
    return known;
  });

/**
 * Makes a new secret. Those before it sign as well until the overlap ends, without one not at all.
 * @throws DomainError 'not-found' for an endpoint of another channel
 */
export async function rotateSecret(
  workshop: Workshop,
  owned: Owned,
  overlapHours: number,
  actor: Actor,
): Promise<EndpointWithSecret> {
  const { secret, ...stored } = await makeSecret(workshop.sealer, owned.id);
  return withEndpoint(workshop, owned, async (em, _known, now) => {
    const endsAt = new Date(Date.parse(now) + overlapHours * HOUR_MS).toISOString();
    endSecrets(em, owned.id, endsAt, overlapHours === 0 ? 0 : SECRETS_AT_MOST - 1);
    insertSecret(em, { ...stored, endpointId: owned.id, createdAt: now });
    await recordAudit(em, [{ ...actOn('webhooks.secret.rotated', owned, actor), after: { overlapHours } }]);
    return { endpoint: await endpointIn(em, owned, now), secret };
  });
}
