import { DomainError } from '@saleschannel/errors';
import { z } from 'zod';
import { auditedServices, auditLine, type AuditedService } from './audit-event.ts';

/** How far a reader has come in the chain of each service. */
export type AuditPosition = Readonly<Record<AuditedService, string>>;

/** Oldest first, or newest first. */
export const auditOrder = z.enum(['asc', 'desc']);
export type AuditOrder = z.infer<typeof auditOrder>;

const sequence = z.string().regex(/^\d{1,18}$/);
const positions = Object.fromEntries(auditedServices.map((name) => [name, sequence])) as Record<
  AuditedService,
  typeof sequence
>;

/** Where a list begins: before the first event of each chain, or behind the last. */
const beginning = Object.fromEntries(auditedServices.map((name) => [name, '0'])) as AuditPosition;

/** A position as clients carry it from page to page, with the order in which it was reached. */
export const auditCursor = z
  .base64url()
  .transform((text, context): unknown => {
    try {
      return JSON.parse(Buffer.from(text, 'base64url').toString());
    } catch {
      context.addIssue({ code: 'custom', message: 'is no cursor of this list' });
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

/** A check of a query: a cursor goes on in its own order. */
export const refuseOtherOrder = (
  { order, after }: { order: AuditOrder; after?: AuditCursor },
  context: z.RefinementCtx,
): void => {
  if (after === undefined || after.order === order) return;
  context.addIssue({ code: 'custom', path: ['after'], message: 'is a cursor of the other order' });
};

/** Which events are wanted. All that is given holds at once. */
export interface AuditFilter {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** The exact name of an act. */
  readonly action?: string | undefined;
  /** The id of who acted. */
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

/** A part of the chain of one service, as it answers. */
interface AuditPart {
  readonly events: readonly PartEvent[];
  readonly total: string;
  readonly isAsAsked: boolean;
}

export interface AuditPageAsked extends AuditFilter {
  readonly order: AuditOrder;
  readonly after?: AuditCursor;
  readonly limit: number;
}

export interface AuditPage {
  /** Each a JSON text with its hash. */
  readonly events: readonly string[];
  readonly total: bigint;
  /** Goes on behind these events. */
  readonly next: string;
  /** There may be more. */
  readonly isFull: boolean;
}

/** A range of one chain that goes on from a position. It names what the previous release ignores only where needed. */
export const auditRange = (
  position: string,
  { order, limit, from, to, action, actor }: Omit<AuditPageAsked, 'after'>,
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
 * Refuses the answer of a replica of the previous release, which ignores the order, the action and the actor.
 * @throws DomainError 'unavailable'
 */
export function refuseOtherAnswer(
  { isAsAsked }: Pick<AuditPart, 'isAsAsked'>,
  { order, action, actor }: Pick<AuditPageAsked, 'order' | 'action' | 'actor'>,
): void {
  if (isAsAsked || (order === 'asc' && action === undefined && actor === undefined)) return;
  throw new DomainError('unavailable', 'The audit trail cannot be ordered or filtered before the upgrade is over.');
}

/** A page of a descending list never goes beyond what was there when its first page was read. */
const descendingStart = (position: string, [last]: readonly PartEvent[]): string =>
  position === '0' ? String(BigInt(last?.sequence ?? 0) + 1n) : position;

/**
 * The next events of some services, the oldest or the newest first. Each service keeps a chain of its own, and the
 * position holds a place in each: an event that one of them commits late is found all the same in ascending order. A
 * descending list shows what was there when it began. Among events of one time, services have one order, which a
 * descending list reverses.
 * @param read asks one service
 * @throws DomainError 'unavailable' while a replica of the previous release cannot answer
 */
export async function readAuditPage(
  services: readonly AuditedService[],
  read: (service: AuditedService, range: AuditRange) => Promise<AuditPart>,
  { after, ...asked }: AuditPageAsked,
): Promise<AuditPage> {
  const { order, limit } = asked;
  const isDescending = order === 'desc';
  const position = after?.position ?? beginning;
  const parts = await Promise.all(
    services.map(async (name) => {
      const part = await read(name, auditRange(position[name], asked));
      refuseOtherAnswer(part, asked);
      return { name, part };
    }),
  );
  const found = (isDescending ? parts.toReversed() : parts).flatMap(({ name, part }) =>
    part.events.map((event) => ({ name, event, time: Date.parse(event.occurredAt) })),
  );
  const taken = found.toSorted((a, b) => (isDescending ? b.time - a.time : a.time - b.time)).slice(0, limit);
  const reached: Record<AuditedService, string> = { ...position };
  if (isDescending) for (const { name, part } of parts) reached[name] = descendingStart(position[name], part.events);
  for (const { name, event } of taken) reached[name] = event.sequence;
  const next = isDescending ? { ...reached, order } : reached;
  return {
    events: taken.map(({ event }) => auditLine(event)),
    total: parts.reduce((sum, { part }) => sum + BigInt(part.total), 0n),
    next: Buffer.from(JSON.stringify(next)).toString('base64url'),
    isFull: taken.length === limit,
  };
}
