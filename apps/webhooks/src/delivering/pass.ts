import type { KeyObject } from 'node:crypto';
import { recordAudit, serviceActor } from '@saleschannel/audit';
import type { Database } from '@saleschannel/database';
import { newId, type Clock } from '@saleschannel/primitives';
import type { Logger } from '@saleschannel/runtime';
import { PENDING_AT_MOST, type Delivery } from '../domain/delivery.ts';
import type { DisabledReason, LogPosition } from '../domain/endpoint.ts';
import { bodyOf, signatureOf, type LogEvent } from '../domain/message.ts';
import type { EventLog } from '../neighbours/event-log.ts';
import type { Lease } from '../store/leases.ts';
import {
  findDue,
  findInOrder,
  findOfEvents,
  loadEndpoint,
  lockLeased,
  planWake,
  writePass,
  type AfterPass,
  type LockedEndpoint,
  type PassResult,
  type WorkedEndpoint,
} from '../store/passes.ts';
import type { StandIn } from './faults.ts';
import type { Lane } from './lanes.ts';
import { resultOf, type Ended } from './outcome.ts';
import type { Answer, Sender } from './sender.ts';
import type { SharedLog } from './shared-log.ts';

/** Events of the log that are taken up together, and written down in one commit. */
const PAGE = 100;
/** Deliveries that are due and tried in one pass. */
const DUE_AT_ONCE = 50;
/** Messages on their way to one unordered endpoint. */
const IN_FLIGHT = 8;
/** After so long a pass begins nothing more: what it did is written down. */
const PASS_MS = 5_000;
const USER_AGENT = 'SalesChannel-Webhooks/1';

/** What passes work with. */
export interface PassContext {
  readonly database: Database;
  readonly log: EventLog;
  /** The same, for what follows its end. */
  readonly sharedLog: SharedLog;
  readonly sender: Sender;
  /** In a sandbox. */
  readonly standIn: StandIn | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly random: () => number;
  /** Counts an attempt. */
  record(delivery: Delivery, answer: Answer, durationMs: number): void;
  /** From the stored secrets of an endpoint to the keys that sign. */
  keysOf(endpoint: WorkedEndpoint): Promise<readonly KeyObject[]>;
}

/** One endpoint's turn. */
export interface Turn {
  readonly lease: Lease;
  readonly lane: Lane;
  readonly isSuspect: boolean;
  /** Whether the log may have more for it. */
  readonly hasEvents: boolean;
  /** Whether it still may begin something: the lease lasts, and the process does not stop. */
  mayBegin(): boolean;
  /** Ends what is on its way. */
  readonly signal: AbortSignal;
}

/** What is known after a pass. */
export interface Passed extends AfterPass {
  readonly positionMs: number | undefined;
  readonly isFailing: boolean;
  /** There may be more to do at once. */
  readonly hasMore: boolean;
}

/** What a pass has found to do. */
interface Work {
  readonly deliveries: readonly Delivery[];
  /** What the pass comes to when these, the first so many of them, were tried. */
  after(tried: number): Pick<PassResult, 'position' | 'replayPosition'>;
  /** Whether more of the same kind follows when all of them were tried. */
  readonly hasMore: boolean;
}

const nothing: Work = { deliveries: [], after: () => ({}), hasMore: false };

/**
 * Works an endpoint for a moment: what is due, or else the next page of the log, or else of a replay. What became of it
 * is written down in one commit, which moves the position too. A process that ends before sends the page again: a
 * message comes at least once, and nothing is left out.
 *
 * @returns undefined when the endpoint is not this replica's any more
 */
export async function passOver(context: PassContext, turn: Turn): Promise<Passed | undefined> {
  const { database, clock } = context;
  const endpoint = await loadEndpoint(database.em(), turn.lease, clock.now().toISOString());
  if (!endpoint) return undefined;
  const work = await workOf(context, endpoint, turn);
  const { attempts, tried } = await sendAll(context, endpoint, turn, work.deliveries);
  const { ordered, failingSince } = endpoint;
  const outcome = resultOf(attempts, { ordered, failingSince, random: context.random });
  const result: PassResult = { ...outcome, ...work.after(tried) };
  const after = await write(context, endpoint, turn.lease, result);
  if (!after) return undefined;
  const position = result.position ?? endpoint.position;
  const isCut = tried < work.deliveries.length;
  return {
    ...after,
    positionMs: position ? Date.parse(position.createdAt) : undefined,
    isFailing: (result.failingSince === undefined ? failingSince : result.failingSince) !== null,
    // A replay that was asked for during the pass has not been looked at yet.
    hasMore: isCut || work.hasMore || (after.hasReplay && !after.isBlocked),
  };
}

async function workOf(context: PassContext, endpoint: WorkedEndpoint, turn: Turn): Promise<Work> {
  const due = await dueOf(context, endpoint);
  if (due.length > 0) return { deliveries: due, after: () => ({}), hasMore: true };
  const isHeldUp = endpoint.ordered ? endpoint.pending > 0 : endpoint.pending >= PENDING_AT_MOST;
  if (endpoint.status !== 'ENABLED' || isHeldUp) return nothing;
  if (turn.hasEvents) {
    const page = await pageOfLog(context, endpoint);
    if (page) return page;
  }
  return endpoint.replay ? pageOfReplay(context, endpoint) : nothing;
}

async function dueOf({ database, clock }: PassContext, endpoint: WorkedEndpoint): Promise<readonly Delivery[]> {
  const now = clock.now();
  const due = await findDue(database.em(), endpoint.id, now.toISOString(), DUE_AT_ONCE);
  const tests = due.filter(({ event }) => event === null);
  if (endpoint.status !== 'ENABLED') return tests;
  if (!endpoint.ordered || due.length === tests.length) return due;
  const waiting = await findInOrder(database.em(), endpoint.id, DUE_AT_ONCE);
  const isDue = ({ nextAttemptAt }: Delivery): boolean =>
    nextAttemptAt !== null && Date.parse(nextAttemptAt) <= now.getTime();
  const late = waiting.findIndex((delivery) => !isDue(delivery));
  return [...tests, ...(late === -1 ? waiting : waiting.slice(0, late))];
}

/** How many more deliveries may wait for the endpoint, if none of them succeeded. */
const roomOf = ({ pending }: WorkedEndpoint): number => Math.min(PAGE, PENDING_AT_MOST - pending);

/** Undefined when the log has nothing more. */
async function pageOfLog({ sharedLog, clock }: PassContext, endpoint: WorkedEndpoint): Promise<Work | undefined> {
  const limit = roomOf(endpoint);
  const { position } = endpoint;
  const { events, hasMore } = await sharedLog.follow(endpoint.salesChannelId, position?.createdAt, limit);
  if (events.length === 0) return undefined;
  const made = newDeliveries(endpoint, events, position?.eventId ?? null, clock.now());
  const deliveries = made.filter(({ event }) => isWanted(endpoint, event));
  return {
    deliveries,
    after: (tried) => {
      const last = lastBefore(events, deliveries[tried]);
      return last ? { position: positionOf(last) } : {};
    },
    hasMore,
  };
}

const positionOf = ({ id, createdAt }: LogEvent): LogPosition => ({ eventId: id, createdAt });

/** The last event before the first one that is left. */
function lastBefore(events: readonly LogEvent[], left: Delivery | undefined): LogEvent | undefined {
  return left ? events[events.findIndex(({ id }) => id === left.messageId) - 1] : events.at(-1);
}

const isWanted = ({ eventTypes }: WorkedEndpoint, event: LogEvent | null): boolean =>
  eventTypes.length === 0 || (event !== null && eventTypes.includes(event.eventType));

/**
 * Each a millisecond later than the one before, so that lists of deliveries have the order of the log. A page that is
 * done in less time than it has milliseconds is ahead of the clock for a moment.
 */
function newDeliveries(
  { id: endpointId, lastDeliveryAt }: WorkedEndpoint,
  events: readonly LogEvent[],
  previousEventId: string | null,
  now: Date,
): Delivery[] {
  const firstMs = Math.max(now.getTime(), lastDeliveryAt === null ? 0 : Date.parse(lastDeliveryAt) + 1);
  return events.map((event, place) => ({
    id: newId(),
    endpointId,
    messageId: event.id,
    event,
    previousEventId: events[place - 1]?.id ?? previousEventId,
    status: 'PENDING',
    attemptCount: 0,
    scheduleAttempts: 0,
    createdAt: new Date(firstMs + place).toISOString(),
    nextAttemptAt: null,
  }));
}

/** Goes no further than the endpoint's own position: what is beyond is on its way by itself. */
async function pageOfReplay({ database, log, clock }: PassContext, endpoint: WorkedEndpoint): Promise<Work> {
  const { replay, position } = endpoint;
  if (!replay) return nothing;
  const beyond = position ? Date.parse(position.createdAt) + 1 : 0;
  const before = new Date(Math.min(Date.parse(replay.to), beyond)).toISOString();
  const after = replay.position ?? new Date(Date.parse(replay.from) - 1).toISOString();
  const limit = roomOf(endpoint);
  const part = await log.read(endpoint.salesChannelId, { after, before, limit, withPrevious: true });
  const { events, previousEventId = null } = part;
  const ids = events.map(({ id }) => id);
  const known = new Map(
    (await findOfEvents(database.em(), endpoint.id, ids)).map((delivery) => [delivery.messageId, delivery]),
  );
  const deliveries = newDeliveries(endpoint, events, previousEventId, clock.now()).flatMap((made): Delivery[] => {
    const { status, ...rest } = known.get(made.messageId) ?? made;
    if (!isWanted(endpoint, made.event) || (known.has(made.messageId) && status === 'PENDING')) return [];
    if (replay.failedOnly && status !== 'FAILED') return [];
    return [{ ...rest, status: 'PENDING', scheduleAttempts: 0 }];
  });
  const isLast = events.length < limit;
  return {
    deliveries,
    after(tried) {
      const left = deliveries[tried];
      if (isLast && !left) return { replayPosition: null };
      const last = lastBefore(events, left);
      return last ? { replayPosition: last.createdAt } : {};
    },
    hasMore: !isLast,
  };
}

/** Undefined when the lease is over: another replica does it again. */
function write(
  { database, logger, clock }: PassContext,
  worked: WorkedEndpoint,
  lease: Lease,
  result: PassResult,
): Promise<AfterPass | undefined> {
  return database.transaction(async (em) => {
    const locked = await lockLeased(em, lease);
    if (!locked) return undefined;
    const { id, salesChannelId } = worked;
    const counted = isAnother(worked, locked) ? ofFormer(result, clock.now().toISOString()) : result;
    writePass(em, id, locked, counted);
    const after = await planWake(em, id);
    const disabled = locked.status === 'ENABLED' ? counted.disable : undefined;
    if (disabled) {
      logger.info({ endpointId: id, salesChannelId, reason: disabled }, 'webhook endpoint disabled');
      await recordAudit(em, [disabledByItself(id, salesChannelId, disabled)]);
    }
    return after;
  });
}

/** Whether its owner has given it another address, or enabled it again, while messages were on their way. */
const isAnother = (worked: WorkedEndpoint, { url, failingSince }: LockedEndpoint): boolean =>
  url !== worked.url || (worked.failingSince !== null && failingSince === null);

/** That an endpoint failed says nothing of what its owner has made of it since: what waits is tried again at once. */
const ofFormer = (result: PassResult, nextAttemptAt: string): PassResult => ({
  ...result,
  disable: undefined,
  ...(result.failingSince ? { failingSince: result.lastFailureAt } : {}),
  outcomes: result.outcomes.map(({ delivery, attempt: made }) => ({
    delivery: delivery.status === 'PENDING' ? { ...delivery, scheduleAttempts: 0, nextAttemptAt } : delivery,
    attempt: made,
  })),
});

const disabledByItself = (id: string, salesChannelId: string, disabledReason: DisabledReason) => ({
  action: 'webhooks.endpoint.updated' as const,
  actor: serviceActor('webhooks'),
  scopes: [salesChannelId],
  subject: { type: 'webhook-endpoint', id },
  before: { status: 'ENABLED', disabledReason: null },
  after: { status: 'DISABLED', disabledReason },
});

/** @returns the attempts in the order of their ends, and how many of the deliveries were tried: the first so many */
async function sendAll(
  context: PassContext,
  endpoint: WorkedEndpoint,
  turn: Turn,
  deliveries: readonly Delivery[],
): Promise<{ attempts: Ended[]; tried: number }> {
  if (deliveries.length === 0) return { attempts: [], tried: 0 };
  const keys = await context.keysOf(endpoint);
  const attempts: Ended[] = [];
  const tried = new Set<Delivery>();
  const endsAt = performance.now() + PASS_MS;
  let next = 0;
  let hasFailed = false;
  const mayBegin = (): boolean =>
    !hasFailed && !turn.lane.isSlow() && turn.mayBegin() && (next === 0 || performance.now() < endsAt);
  const sendSome = async (): Promise<void> => {
    while (next < deliveries.length && mayBegin()) {
      const delivery = deliveries[next++] as Delivery;
      const ended = await turn.lane.send(() => attempt(context, endpoint, turn, keys, delivery));
      if (!ended) return;
      // What another endpoint may do with its test says nothing of those that wait.
      if (ended.answer.error !== undefined && delivery.event !== null) hasFailed = true;
      tried.add(delivery);
      attempts.push(ended);
    }
  };
  const atOnce = endpoint.ordered || turn.isSuspect ? 1 : IN_FLIGHT;
  await Promise.all(Array.from({ length: Math.min(atOnce, deliveries.length) }, sendSome));
  const left = deliveries.findIndex((delivery) => !tried.has(delivery));
  return { attempts, tried: left === -1 ? deliveries.length : left };
}

/** Undefined for one that was ended from here. */
async function attempt(
  { clock, sender, standIn, record }: PassContext,
  { url }: WorkedEndpoint,
  { signal }: Turn,
  keys: readonly KeyObject[],
  delivery: Delivery,
): Promise<Ended | undefined> {
  if (signal.aborted) return undefined;
  const startedMs = clock.now().getTime();
  const began = performance.now();
  const timestamp = Math.floor(startedMs / 1_000);
  const body = bodyOf(delivery);
  const headers = {
    'content-type': 'application/json',
    'user-agent': USER_AGENT,
    'webhook-id': delivery.messageId,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatureOf(keys, delivery.messageId, timestamp, body),
  };
  try {
    const answer = (await standIn?.(delivery)) ?? (await sender.send(url, headers, body, signal));
    const durationMs = Math.round(performance.now() - began);
    record(delivery, answer, durationMs);
    return { delivery, answer, startedMs, endedMs: clock.now().getTime(), durationMs };
  } catch {
    return undefined;
  }
}
