import { setTimeout as delay } from 'node:timers/promises';
import type { UserPrincipal } from '@saleschannel/auth';
import { DomainError } from '@saleschannel/errors';
import type { ReplyOf } from '@saleschannel/grpc';
import { meter } from '@saleschannel/runtime';
import type { Clients } from '../clients.ts';
import type { HeadersOf, QueryOf } from '../contract/operations.ts';
import type { Answer } from '../http/answer.ts';
import type { Handlers } from '../http/pipeline.ts';
import type { RequestContext } from '../http/request-context.ts';
import { eventOf } from './events.ts';

/** After so long a client connects again, so that no stream outlives what it began with. */
const LIFETIME_MS = 15 * 60_000;
/** The service behind ends its side later than the gateway does. */
const MARGIN_MS = 60_000;
/** Shorter than the silence after which usual proxies and clients give a connection up. */
const HEARTBEAT_MS = 15_000;
/** Between two looks at whether the stream may go on. */
const TICK_MS = 500;
/** How long a client waits before it connects again. */
const RETRY_MS = 2_000;
/** How long one should wait who has too many streams. */
const RETRY_AFTER_SECONDS = 15;

export interface EventStreamOptions {
  readonly streams: { readonly atMost: number; readonly perChannel: number; readonly perUser: number };
  isClosing(): boolean;
  /** Milliseconds that never go backwards. */
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

  /** Returns the function that closes it. @throws DomainError 'rate-limited' or 'unavailable' with a time to wait */
  open({ userId, salesChannelId = userId }: Pick<UserPrincipal, 'userId' | 'salesChannelId'>): () => void {
    const wait = { retryAfterSeconds: RETRY_AFTER_SECONDS };
    if ((this.#byUser.get(userId) ?? 0) >= this.#limits.perUser) {
      throw new DomainError('rate-limited', 'You have too many streams of events open: close one first.', wait);
    }
    if ((this.#byChannel.get(salesChannelId) ?? 0) >= this.#limits.perChannel) {
      throw new DomainError(
        'rate-limited',
        'Your sales channel has too many streams of events open: close one first.',
        wait,
      );
    }
    if (this.#count >= this.#limits.atMost) {
      throw new DomainError('unavailable', 'Too many streams of events are open: try again later.', wait);
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

/** Server-sent events (WHATWG HTML section 9.2). JSON has no line breaks of its own, and ids and types have none. */
const frameOf = (event: Message['events'][number]): string =>
  `id: ${event.id}\nevent: ${event.eventType}\ndata: ${JSON.stringify(eventOf(event))}\n\n`;

interface Start {
  readonly after: string | undefined;
  /** What names it. */
  readonly parameter: 'Last-Event-ID' | 'from';
}

/** The header is younger than the address, which an `EventSource` repeats each time. An empty header names nothing. */
function startOf({ from }: QueryOf<'streamEvents'>, headers: HeadersOf<'streamEvents'>): Start {
  const last = headers['Last-Event-ID'];
  return last ? { after: last, parameter: 'Last-Event-ID' } : { after: from, parameter: 'from' };
}

/** @throws DomainError that names what the client calls it */
async function firstOf(messages: AsyncIterator<Message>, { parameter }: Start): Promise<Message> {
  try {
    const { value, done } = await messages.next();
    if (done) throw new Error('a stream of events ended before it began');
    return value;
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'invalid-request') throw error;
    const violations = error.violations.map((violation) => ({ ...violation, parameter }));
    throw new DomainError(error.code, error.message, { violations, cause: error });
  }
}

/** Whether the right to read is still there. While that cannot be found out, nothing more is sent. */
const mayGoOn = (context: RequestContext): Promise<boolean> =>
  context.renew().then(
    () => true,
    () => false,
  );

/** The next message. A source that cannot go on ends the stream, as its own end does: the client connects again. */
const nextOf = (messages: AsyncIterator<Message>): Promise<IteratorResult<Message>> =>
  messages.next().catch((error: unknown) => {
    if (error instanceof DomainError && error.code === 'unavailable') return { done: true, value: undefined };
    throw error;
  });

/** The text of a stream, until its time is over, the right to read it ends, the process stops, or its source does. */
async function* framesOf(
  context: RequestContext,
  first: Message,
  messages: AsyncIterator<Message>,
  { isClosing, now }: Pick<EventStreamOptions, 'isClosing' | 'now'>,
): AsyncGenerator<string> {
  const endsAt = now() + LIFETIME_MS;
  let heartbeatAt = now() + HEARTBEAT_MS;
  const sent = (text: string): string => {
    heartbeatAt = now() + HEARTBEAT_MS;
    return text;
  };
  yield sent(`retry: ${RETRY_MS}\n\n`);
  // An id without data is kept, and no event: whoever connects again before anything came has missed nothing.
  yield sent(`id: ${first.after}\n: open\n\n`);
  let next = nextOf(messages);
  for (;;) {
    const come = await Promise.race([next, delay(TICK_MS, undefined, { ref: false })]);
    if (come?.done || isClosing() || now() >= endsAt || !(await mayGoOn(context))) return;
    if (come) {
      yield sent(come.value.events.map(frameOf).join(''));
      next = nextOf(messages);
    } else if (now() >= heartbeatAt) yield sent(': still here\n\n');
  }
}

/** The event log of the sales channel, as it grows. */
export function eventStreams({ events }: Clients, options: EventStreamOptions): Pick<Handlers, 'streamEvents'> {
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
        const start = startOf(query, headers);
        const call = context.streamOf(LIFETIME_MS + MARGIN_MS);
        const signal = AbortSignal.any([context.gone, ended.signal]);
        const request = start.after === undefined ? {} : { after: start.after };
        const messages = events.StreamEvents(request, { ...call, signal })[Symbol.asyncIterator]();
        const first = await firstOf(messages, start);
        const body = async function* (): AsyncGenerator<string> {
          try {
            yield* framesOf(context, first, messages, options);
          } finally {
            end();
          }
        };
        // Proxies must pass on each event as it comes.
        return { status: 200, contentType: 'text/event-stream', headers: { 'X-Accel-Buffering': 'no' }, body: body() };
      } catch (error) {
        end();
        throw error;
      }
    },
  };
}
