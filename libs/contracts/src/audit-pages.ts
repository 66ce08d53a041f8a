import { z } from 'zod';
import { auditedServices, auditLine, type AuditedService } from './audit-event.ts';

/** How far a reader has come in the chain of each service. */
export type AuditPosition = Readonly<Record<AuditedService, string>>;

const sequence = z.string().regex(/^\d{1,18}$/);

const beginning = Object.fromEntries(auditedServices.map((name) => [name, '0'])) as AuditPosition;

/** A position as clients carry it from page to page. Without one it is the beginning. */
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
  .pipe(
    z.strictObject(
      Object.fromEntries(auditedServices.map((name) => [name, sequence])) as Record<AuditedService, typeof sequence>,
    ),
  )
  .default(beginning);

interface AuditRange {
  readonly afterSequence: string;
  readonly limit: number;
  readonly from?: string;
  readonly to?: string;
}

/** A part of the chain of one service, as it answers. */
interface AuditPart {
  readonly events: readonly {
    readonly sequence: string;
    readonly occurredAt: string;
    readonly event: string;
    readonly hash: Buffer;
  }[];
  readonly total: string;
}

export interface AuditPageAsked {
  readonly position: AuditPosition;
  readonly limit: number;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
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

/**
 * The next events of some services, the oldest first. Each service keeps a chain of its own, and the position holds a
 * place in each: an event that one of them commits late is found all the same.
 * @param read asks one service
 */
export async function readAuditPage(
  services: readonly AuditedService[],
  read: (service: AuditedService, range: AuditRange) => Promise<AuditPart>,
  { position, limit, from, to }: AuditPageAsked,
): Promise<AuditPage> {
  const between = { ...(from && { from }), ...(to && { to }) };
  const parts = await Promise.all(
    services.map(async (name) => ({
      name,
      part: await read(name, { afterSequence: position[name], limit, ...between }),
    })),
  );
  const found = parts.flatMap(({ name, part }) => part.events.map((event) => ({ name, event })));
  const taken = found
    .toSorted((a, b) => Date.parse(a.event.occurredAt) - Date.parse(b.event.occurredAt))
    .slice(0, limit);
  const reached: Record<AuditedService, string> = { ...position };
  for (const { name, event } of taken) reached[name] = event.sequence;
  return {
    events: taken.map(({ event }) => auditLine(event)),
    total: parts.reduce((sum, { part }) => sum + BigInt(part.total), 0n),
    next: Buffer.from(JSON.stringify(reached)).toString('base64url'),
    isFull: taken.length === limit,
  };
}
