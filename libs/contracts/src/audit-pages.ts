import { DomainError } from '@saleschannel/errors';
import { z } from 'zod';

/** Services with an audit trail, in the order of their events with the same time. */
export const auditedServices = ['identity', 'rbac', 'traders', 'inventory', 'registry-import', 'webhooks'] as const;

export type AuditedService = (typeof auditedServices)[number];

/** An event of an audit trail, as its service returns it. */
interface AuditEvent {
  /** Canonical JSON (RFC 8785), byte for byte as it was hashed. */
  readonly event: string;
  readonly hash: Buffer;
}

/** Renders the event for readers: the hashed text with its hash as an additional last member. */
export const renderAuditEvent = ({ event, hash }: AuditEvent): string =>
  `${event.slice(0, -1)},"hash":"${hash.toString('hex')}"}`;

/** Position of a reader in the chain of each service. */
export type AuditPosition = Readonly<Record<AuditedService, string>>;

/** Order of a list: oldest first (`asc`), or newest first. */
export const auditOrder = z.enum(['asc', 'desc']);
export type AuditOrder = z.infer<typeof auditOrder>;

const sequence = z.string().regex(/^\d{1,18}$/);
const positions = Object.fromEntries(auditedServices.map((name) => [name, sequence])) as Record<
  AuditedService,
  typeof sequence
>;

/** Start of a list: before the first event of each chain, or after the last. */
const beginning = Object.fromEntries(auditedServices.map((name) => [name, '0'])) as AuditPosition;

/** Cursor of a list: a position with its order, as clients send it to read the next page. */
export const auditCursor = z
  .base64url()
  .transform((text, context): unknown => {
    try {
      return JSON.parse(Buffer.from(text, 'base64url').toString());
    } catch {
      context.addIssue({ code: 'custom', message: 'is not a cursor of this list' });
      return z.NEVER;
    }
  })
  .pipe(z.strictObject({ ...positions, order: z.literal('desc').optional() }))
  .transform(({ order, ...position }): { order: AuditOrder; position: AuditPosition } => ({
    order: order ?? 'asc',
    position,
  }))
  .optional();

type AuditCursor = z.infer<typeof auditCursor>;

/** Refines a query: a cursor is valid only for its own order. */
export const refineCursorOrder = (
  { order, after }: { order: AuditOrder; after?: AuditCursor },
  context: z.RefinementCtx,
): void => {
  if (after === undefined || after.order === order) return;
  context.addIssue({ code: 'custom', path: ['after'], message: 'is a cursor of the other order' });
};

/** Filter of events. All given conditions must hold. */
export interface AuditFilter {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** The exact name of an action. */
  readonly action?: string | undefined;
  /** Id of the actor. */
  readonly actor?: string | undefined;
}

interface AuditRange {
  readonly afterSequence: string;
  readonly limit: number;
  readonly from?: string;
  readonly to?: string;
  readonly beforeSequence?: string;
  readonly descending?: boolean;
  readonly action?: string;
  readonly actorId?: string;
}

interface PartEvent {
  readonly sequence: string;
  readonly occurredAt: string;
  readonly event: string;
  readonly hash: Buffer;
}

/** A part of one service's chain, as the service returns it. */
interface AuditPart {
  readonly events: readonly PartEvent[];
  readonly total: string;
  readonly isFilteredAsRequested: boolean;
}

export interface AuditPageRequest extends AuditFilter {
  readonly order: AuditOrder;
  readonly after?: AuditCursor;
  readonly limit: number;
}

export interface AuditPage {
  /** JSON texts with their hashes. */
  readonly events: readonly string[];
  readonly total: bigint;
  /** Cursor of the events after these. */
  readonly next: string;
  /** Whether there may be more events. */
  readonly isFull: boolean;
}

/**
 * Returns the range of one chain after a position. Members that the previous release ignores are present only if
 * needed.
 */
export const toAuditRange = (
  position: string,
  { order, limit, from, to, action, actor }: Omit<AuditPageRequest, 'after'>,
): AuditRange => ({
  ...(order === 'asc'
    ? { afterSequence: position }
    : { afterSequence: '0', beforeSequence: position, descending: true }),
  limit,
  ...(from && { from }),
  ...(to && { to }),
  ...(action !== undefined && { action }),
  ...(actor !== undefined && { actorId: actor }),
});

/**
 * Rejects the answer of a replica of the previous release, which ignores order, action and actor.
 * @throws DomainError 'unavailable'
 */
export function rejectUnfilteredAnswer(
  { isFilteredAsRequested }: Pick<AuditPart, 'isFilteredAsRequested'>,
  { order, action, actor }: Pick<AuditPageRequest, 'order' | 'action' | 'actor'>,
): void {
  if (isFilteredAsRequested || (order === 'asc' && action === undefined && actor === undefined)) return;
  throw new DomainError(
    'unavailable',
    'The audit trail cannot be ordered or filtered during the upgrade. Retry afterwards.',
  );
}

/** Returns the start of a descending list, whose pages never contain events added after the first page was read. */
const descendingStart = (position: string, [last]: readonly PartEvent[]): string =>
  position === '0' ? String(BigInt(last?.sequence ?? 0) + 1n) : position;

/**
 * Reads the next events of some services, oldest or newest first. Each service has its own chain, and the cursor has a
 * position in each, so an ascending list also finds events that a service commits late. A descending list shows only
 * events that existed at its first page. Events of the same time have the fixed order of their services, which a
 * descending list reverses.
 * @param read reads a part of one service's chain
 * @throws DomainError 'unavailable' while a replica of the previous release cannot answer
 */
export async function readAuditPage(
  services: readonly AuditedService[],
  read: (service: AuditedService, range: AuditRange) => Promise<AuditPart>,
  { after, ...request }: AuditPageRequest,
): Promise<AuditPage> {
  const { order, limit } = request;
  const isDescending = order === 'desc';
  const position = after?.position ?? beginning;
  const parts = await Promise.all(
    services.map(async (name) => {
      const part = await read(name, toAuditRange(position[name], request));
      rejectUnfilteredAnswer(part, request);
      return { name, part };
    }),
  );
  const found = (isDescending ? parts.toReversed() : parts).flatMap(({ name, part }) =>
    part.events.map((event) => ({ name, event, time: Date.parse(event.occurredAt) })),
  );
  const events = found.toSorted((a, b) => (isDescending ? b.time - a.time : a.time - b.time)).slice(0, limit);
  const reached: Record<AuditedService, string> = { ...position };
  if (isDescending) for (const { name, part } of parts) reached[name] = descendingStart(position[name], part.events);
  for (const { name, event } of events) reached[name] = event.sequence;
  const next = isDescending ? { ...reached, order } : reached;
  return {
    events: events.map(({ event }) => renderAuditEvent(event)),
    total: parts.reduce((sum, { part }) => sum + BigInt(part.total), 0n),
    next: Buffer.from(JSON.stringify(next)).toString('base64url'),
    isFull: events.length === limit,
  };
}
