import { recordAudit, type AuditAction } from '@saleschannel/audit';
import type { Sealer } from '@saleschannel/auth';
import type { Actor } from '@saleschannel/contracts';
import type { Database, EntityManager } from '@saleschannel/database';
import { notFound, requestRefused, salesChannelSuspended } from '@saleschannel/errors';
import { newId, type Clock } from '@saleschannel/primitives';
import type { Endpoint, EndpointChange, NewEndpoint } from '../domain/endpoint.ts';
import type { EventLog } from '../neighbours/event-log.ts';
import { restartPending, suspendPending } from '../store/deliveries.ts';
import {
  countEndpoints,
  findEndpoint,
  insertEndpoint,
  lockChannel,
  lockEndpoint,
  markDeleted,
  updateEndpoint,
} from '../store/endpoints.ts';
import { isReplaced } from '../store/faults.ts';
import { endSecrets, insertSecret } from '../store/secrets.ts';
import { createSecret } from './secrets.ts';

const HOUR_MS = 3_600_000;
/** Signing secrets of one endpoint, including the newest. */
const MAX_SECRETS = 5;

export interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
}

interface SealingDependencies extends Dependencies {
  readonly sealer: Sealer;
}

/** An endpoint with a new secret, which is shown once. */
export interface EndpointWithSecret {
  readonly endpoint: Endpoint;
  readonly secret: string;
}

/** Identifies an endpoint of a sales channel. */
export interface EndpointRef {
  readonly id: string;
  readonly salesChannelId: string;
}

/** Returns the settings recorded in the audit trail. Secrets are not. */
export const toAuditState = ({ url, eventTypes, ordered, status }: Endpoint) => ({ url, eventTypes, ordered, status });

export const toAuditEntry = (action: AuditAction, { id, salesChannelId }: EndpointRef, actor: Actor) => ({
  action,
  actor,
  scopes: [salesChannelId],
  subject: { type: 'webhook-endpoint', id },
});

/**
 * Creates an endpoint that receives events recorded from now on. Its secret is returned only here.
 * @throws DomainError 'request-refused' for too many endpoints, 'sales-channel-suspended' for a channel replaced by a
 * reset, 'unavailable' if the end of the log cannot be read
 */
export async function createEndpoint(
  { database, clock, sealer, log }: SealingDependencies & { readonly log: EventLog },
  { salesChannelId, createdBy, atMost }: { salesChannelId: string; createdBy: string; atMost: number },
  settings: NewEndpoint,
  actor: Actor,
): Promise<EndpointWithSecret> {
  const id = newId();
  const { secret, ...stored } = await createSecret(sealer, id);
  const position = await log.end(salesChannelId);
  const now = clock.now().toISOString();
  return database.transaction(async (em) => {
    await lockChannel(em, salesChannelId);
    if (await isReplaced(em, salesChannelId)) throw salesChannelSuspended();
    if ((await countEndpoints(em, salesChannelId)) >= atMost)
      throw requestRefused(`A sales channel has at most ${atMost} webhook endpoints. Delete one first.`);
    insertEndpoint(em, { ...settings, id, salesChannelId, createdBy, createdAt: now, position });
    insertSecret(em, { ...stored, endpointId: id, createdAt: now });
    const endpoint = await requireEndpoint(em, { id, salesChannelId }, now);
    await recordAudit(em, [
      { ...toAuditEntry('webhooks.endpoint.created', { id, salesChannelId }, actor), after: toAuditState(endpoint) },
    ]);
    return { endpoint, secret };
  });
}

async function requireEndpoint(em: EntityManager, { id, salesChannelId }: EndpointRef, now: string): Promise<Endpoint> {
  const endpoint = await findEndpoint(em, id, salesChannelId, now);
  if (!endpoint) throw notFound();
  return endpoint;
}

/** Runs a transaction with the endpoint locked. @throws DomainError 'not-found' for another channel's endpoint */
export const withEndpoint = <T>(
  { database, clock }: Dependencies,
  endpointRef: EndpointRef,
  work: (em: EntityManager, endpoint: Endpoint, now: string) => Promise<T>,
): Promise<T> =>
  database.transaction(async (em) => {
    if (!(await lockEndpoint(em, endpointRef.id, endpointRef.salesChannelId))) throw notFound();
    const now = clock.now().toISOString();
    return work(em, await requireEndpoint(em, endpointRef, now), now);
  });

/**
 * Changes the given settings. Enabling makes waiting deliveries due at once; the log continues at the old position.
 * @throws DomainError 'not-found' for another channel's endpoint
 */
export const changeEndpoint = (
  dependencies: Dependencies,
  endpointRef: EndpointRef,
  change: EndpointChange,
  actor: Actor,
): Promise<Endpoint> =>
  withEndpoint(dependencies, endpointRef, async (em, known, now) => {
    const { url = known.url, eventTypes = known.eventTypes, ordered = known.ordered, status = known.status } = change;
    const description = change.description === undefined ? known.description : change.description;
    const isSwitched = status !== known.status;
    const disabledReason =
      isSwitched && status === 'DISABLED' ? 'MANUAL' : status === 'ENABLED' ? null : known.disabledReason;
    const failingSince = isSwitched && status === 'ENABLED' ? null : known.failingSince;
    const settings = { url, description, eventTypes, ordered, status, disabledReason, failingSince };
    updateEndpoint(em, endpointRef.id, settings, now);
    if (isSwitched && status === 'ENABLED') restartPending(em, endpointRef.id, now);
    if (isSwitched && status === 'DISABLED') suspendPending(em, endpointRef.id);
    const changed = await requireEndpoint(em, endpointRef, now);
    const [before, after] = [toAuditState(known), toAuditState(changed)];
    if (JSON.stringify(before) !== JSON.stringify(after) || description !== known.description)
      await recordAudit(em, [{ ...toAuditEntry('webhooks.endpoint.updated', endpointRef, actor), before, after }]);
    return changed;
  });

/** @throws DomainError 'not-found' for another channel's endpoint */
export const deleteEndpoint = (dependencies: Dependencies, endpointRef: EndpointRef, actor: Actor): Promise<Endpoint> =>
  withEndpoint(dependencies, endpointRef, async (em, known) => {
    markDeleted(em, [endpointRef.id]);
    await recordAudit(em, [
      { ...toAuditEntry('webhooks.endpoint.deleted', endpointRef, actor), before: toAuditState(known) },
    ]);
    return known;
  });

/**
 * Creates a new secret. Older secrets sign too until the overlap ends; without an overlap they stop at once.
 * @throws DomainError 'not-found' for another channel's endpoint
 */
export async function rotateSecret(
  dependencies: SealingDependencies,
  endpointRef: EndpointRef,
  overlapHours: number,
  actor: Actor,
): Promise<EndpointWithSecret> {
  const { secret, ...stored } = await createSecret(dependencies.sealer, endpointRef.id);
  return withEndpoint(dependencies, endpointRef, async (em, _known, now) => {
    const endsAt = new Date(Date.parse(now) + overlapHours * HOUR_MS).toISOString();
    endSecrets(em, endpointRef.id, endsAt, overlapHours === 0 ? 0 : MAX_SECRETS - 1);
    insertSecret(em, { ...stored, endpointId: endpointRef.id, createdAt: now });
    await recordAudit(em, [
      { ...toAuditEntry('webhooks.secret.rotated', endpointRef, actor), after: { overlapHours } },
    ]);
    return { endpoint: await requireEndpoint(em, endpointRef, now), secret };
  });
}
