import { setTimeout as delay } from 'node:timers/promises';
import type { UserPrincipal } from '@saleschannel/auth';
import { pick } from '@saleschannel/edge';
import { DomainError } from '@saleschannel/errors';
import type { ReplyOf, SentTo } from '@saleschannel/grpc';
import { meter } from '@saleschannel/runtime';
import type { Clients } from '../clients.ts';
import type { QueryOf, HeadersOf } from '../contract/operations.ts';
import type { Answer } from '../http/answer.ts';
import type { Handlers } from '../http/pipeline.ts';
import type { RequestContext } from '../http/request-context.ts';
import { toListPage, toNextLink, pickColumns, type CsvFile } from './lists.ts';

export const toEvent = (event: ReplyOf<'events.ListEvents'>['events'][number]) => ({
  ...pick(event, 'id', 'eventType', 'createdAt', 'eventAt'),
  payload: pick(event, 'transactionId', 'status'),
});

const eventFile: CsvFile<ReturnType<typeof toEvent>> = {
  name: 'events',
  columns: pickColumns('id', 'eventType', 'createdAt', 'eventAt', 'payload.transactionId', 'payload.status'),
};

/** Default page size, as in the contract. */
const EVENTS_PER_PAGE = 100;

function toRequest(query: QueryOf<'listEvents'>): SentTo<'events.ListEvents'> {
  const { createdAt = {}, eventType = {} } = query.$filter ?? {};
  const filter = {
    ...(createdAt.gt === undefined ? {} : { createdAtGt: createdAt.gt }),
    ...(createdAt.gte === undefined ? {} : { createdAtGte: createdAt.gte }),
    ...(createdAt.lt === undefined ? {} : { createdAtLt: createdAt.lt }),
    ...(createdAt.lte === undefined ? {} : { createdAtLte: createdAt.lte }),
    ...(eventType.eq === undefined ? {} : { eventType: eventType.eq }),
  };
  return { filter, descending: query.$orderBy?.createdAt === 'desc', limit: query.$limit ?? EVENTS_PER_PAGE };
}

/** Returns the change of the query for the next page. Times strictly increase, so it follows the last event. */
function nextPage(query: QueryOf<'listEvents'>, found: readonly { createdAt: string }[]) {
  const last = found.at(-1);
  if (!last || found.length < (query.$limit ?? EVENTS_PER_PAGE)) return undefined;
  const bound = query.$orderBy?.createdAt === 'desc' ? { lt: last.createdAt } : { gt: last.createdAt };
  const filter = { ...query.$filter, createdAt: { ...query.$filter?.createdAt, ...bound } };
  return (parameters: URLSearchParams): void => {
    const filterNames = Array.from(parameters.keys()).filter((name) => /^\$filter(\[|$)/.test(name));
    for (const name of filterNames) parameters.delete(name);
    parameters.set('$filter', JSON.stringify(filter));
  };
}

export const createEventHandlers = ({ events: service }: Clients) =>
  ({
    listEvents: async ({ query }, context) => {
      const { events: found } = await service.ListEvents(toRequest(query), context.callOptions);
      return toListPage(context, found.map(toEvent), eventFile, toNextLink(context, nextPage(query, found)));
    },
  }) satisfies Partial<Handlers>;

/** Maximum duration of a stream. Clients reconnect, so that no stream runs on an old session for ever. */
const LIFETIME_MS = 15 * 60_000;
/** Extra time of the call, so that the gateway ends a stream before the service does. */
const MARGIN_MS = 60_000;
/** Shorter than the idle timeouts of common proxies and clients. */
const HEARTBEAT_MS = 15_000;
const CHECK_MS = 500;
/** Reconnection delay of clients. */
const RETRY_MS = 2_000;
const RETRY_AFTER_SECONDS = 15;

export interface EventStreamOptions {
  readonly streams: { readonly maxTotal: number; readonly perChannel: number; readonly perUser: number };
  isClosing(): boolean;
  /** Monotonic clock, in milliseconds. */
  readonly now: () => number;
}

/** Counts open streams: in total, per sales channel and per user. */
class OpenStreams {
  readonly #limits: EventStreamOptions['streams'];
  readonly #byChannel = new Map<string, number>();
  readonly #byUser = new Map<string, number>();
  #count = 0;

  constructor(limits: EventStreamOptions['streams']) {
    this.#limits = limits;
    meter()
      .createObservableGauge('saleschannel.event_streams', { description: 'Open event streams' })
      .addCallback((result) => result.observe(this.#count));
  }

  /** Returns a function that closes the stream. @throws DomainError 'rate-limited' or 'unavailable' */
  open({ userId, salesChannelId = userId }: Pick<UserPrincipal, 'userId' | 'salesChannelId'>): () => void {
    const wait = { retryAfterSeconds: RETRY_AFTER_SECONDS };
    if ((this.#byUser.get(userId) ?? 0) >= this.#limits.perUser) {
      throw new DomainError('rate-limited', 'You have too many open event streams. Close one first.', wait);
    }
    if ((this.#byChannel.get(salesChannelId) ?? 0) >= this.#limits.perChannel) {
      throw new DomainError(
        'rate-limited',
        'Your sales channel has too many open event streams. Close one first.',
        wait,
      );
    }
    if (this.#count >= this.#limits.maxTotal) {
      throw new DomainError('unavailable', 'Too many event streams are open. Retry later.', wait);
    }
    this.#count += 1;
    add(this.#byUser, userId, 1);
    add(this.#byChannel, salesChannelId, 1);
    return () => {
      this.#count -= 1;
      add(this.#byUser, userId, -1);
      add(this.#byChannel, salesChannelId, -1);
    };
  }
}

function add(counts: Map<string, number>, key: string, change: 1 | -1): void {
  const count = (counts.get(key) ?? 0) + change;
  if (count > 0) counts.set(key, count);
  else counts.delete(key);
}

type Message = ReplyOf<'events.StreamEvents'>;

/** Formats a server-sent event (WHATWG HTML section 9.2). JSON, ids and types have no line breaks. */
const toFrame = (event: Message['events'][number]): string =>
  `id: ${event.id}\nevent: ${event.eventType}\ndata: ${JSON.stringify(toEvent(event))}\n\n`;

interface Start {
  readonly after: string | undefined;
  /** Source of `after`. */
  readonly parameter: 'Last-Event-ID' | 'from';
}

/** Prefers the header: it is newer than the URL, which an `EventSource` repeats. An empty header does not count. */
function readStart({ from }: QueryOf<'streamEvents'>, headers: HeadersOf<'streamEvents'>): Start {
  const last = headers['Last-Event-ID'];
  return last ? { after: last, parameter: 'Last-Event-ID' } : { after: from, parameter: 'from' };
}

/** @throws DomainError whose violations name the parameter as the client sent it */
async function readFirst(messages: AsyncIterator<Message>, { parameter }: Start): Promise<Message> {
  try {
    const { value, done } = await messages.next();
    if (done) throw new Error('an event stream ended before its first message');
    return value;
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'invalid-request') throw error;
    const violations = error.violations.map((violation) => ({ ...violation, parameter }));
    throw new DomainError(error.code, error.message, { violations, cause: error });
  }
}

/** Reads the next message. If the service is unavailable, the stream ends, and the client reconnects. */
const readNext = (messages: AsyncIterator<Message>): Promise<IteratorResult<Message>> =>
  messages.next().catch((error: unknown) => {
    if (error instanceof DomainError && error.code === 'unavailable') return { done: true, value: undefined };
    throw error;
  });

/** Yields the text of a stream until the lifetime, the right to read, the process or the source ends. */
async function* streamFrames(
  context: RequestContext,
  first: Message,
  messages: AsyncIterator<Message>,
  { isClosing, now }: Pick<EventStreamOptions, 'isClosing' | 'now'>,
): AsyncGenerator<string> {
  const endsAt = now() + LIFETIME_MS;
  let heartbeatAt = now() + HEARTBEAT_MS;
  const send = (text: string): string => {
    heartbeatAt = now() + HEARTBEAT_MS;
    return text;
  };
  yield send(`retry: ${RETRY_MS}\n\n`);
  // Clients keep an id without data, so one that reconnects before the first event misses nothing.
  yield send(`id: ${first.after}\n: open\n\n`);
  let next = readNext(messages);
  for (;;) {
    const received = await Promise.race([next, delay(CHECK_MS, undefined, { ref: false })]);
    if (received?.done || isClosing() || now() >= endsAt || !(await context.isStillAuthorized())) return;
    if (received) {
      yield send(received.value.events.map(toFrame).join(''));
      next = readNext(messages);
    } else if (now() >= heartbeatAt) yield send(': still here\n\n');
  }
}

export function createEventStreamHandlers({ events }: Clients, options: EventStreamOptions) {
  const open = new OpenStreams(options.streams);
  return {
    async streamEvents({ query, headers }, context): Promise<Answer<200, string>> {
      const close = open.open(context.user);
      const ended = new AbortController();
      const end = (): void => {
        ended.abort();
        close();
      };
      try {
        const start = readStart(query, headers);
        const call = context.createStreamOptions(LIFETIME_MS + MARGIN_MS);
        const signal = AbortSignal.any([context.disconnected, ended.signal]);
        const request = start.after === undefined ? {} : { after: start.after };
        const messages = events.StreamEvents(request, { ...call, signal })[Symbol.asyncIterator]();
        const first = await readFirst(messages, start);
        const body = async function* (): AsyncGenerator<string> {
          try {
            yield* streamFrames(context, first, messages, options);
          } finally {
            end();
          }
        };
        // Proxies must not buffer events.
        return { status: 200, contentType: 'text/event-stream', headers: { 'X-Accel-Buffering': 'no' }, body: body() };
      } catch (error) {
        end();
        throw error;
      }
    },
  } satisfies Partial<Handlers>;
}
