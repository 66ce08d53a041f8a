import { lookUp } from '@saleschannel/edge/administration';
import { unavailable } from '@saleschannel/errors';
import { id } from '@saleschannel/primitives/validation';
import { z } from 'zod';
import { type Context, operation, type Operations, type RequestContext } from '../http/operation.ts';
import type { Activity, Watch } from '../watch/watch.ts';

export const activity = ({ watch, connection }: Context) =>
  ({
    getServiceHealth: operation('getServiceHealth')({
      handle: async () => ({ items: (await watch.readFresh()).services }),
    }),
    getActivity: operation('getActivity')({
      handle: () => watch.readFresh(),
    }),
    streamActivity: operation('streamActivity')({
      handle: (_input, context) => streamActivity(watch, context),
    }),
    lookUp: operation('lookUp')({
      query: z.strictObject({ id }),
      handle: ({ query }) => lookUp(connection, query.id, true),
    }),
  }) satisfies Partial<Operations>;

/** Maximum duration of a stream, after which the reader's rights are checked again. */
const STREAM_MS = 300_000;
const RETRY_MS = 1_000;
const STREAMS_AT_MOST = 100;
/** Interval between checks of the reader's session. Answers of identity are cached for two seconds. */
const SESSION_CHECK_MS = 1_000;

const toEvent = (activity: Activity): string => `event: activity\ndata: ${JSON.stringify(activity)}\n\n`;

/**
 * Sends the latest snapshot, then each new snapshot, as server-sent events (WHATWG HTML). Slow readers miss snapshots.
 * @throws DomainError 'unavailable' above the limit of streams
 */
async function streamActivity(
  watch: Watch,
  { response, disconnected, isSessionValid }: RequestContext,
): Promise<undefined> {
  if (watch.subscriberCount >= STREAMS_AT_MOST) throw unavailable(new Error('too many streams of activity'));
  // Express would add a charset.
  response.status(200).setHeader('Content-Type', 'text/event-stream').setHeader('X-Accel-Buffering', 'no');
  response.write(`retry: ${RETRY_MS}\n\n${toEvent(watch.latest)}`);
  const unsubscribe = watch.subscribe((activity) => {
    if (!response.writableNeedDrain) response.write(toEvent(activity));
  });
  const ending = new AbortController();
  const timer = setTimeout(() => ending.abort(), STREAM_MS).unref();
  const checks = setInterval(
    () => void isSessionValid().then((isValid) => isValid || ending.abort()),
    SESSION_CHECK_MS,
  ).unref();
  await new Promise<void>((resolve) => {
    const end = AbortSignal.any([disconnected, watch.closing, ending.signal]);
    if (end.aborted) resolve();
    else end.addEventListener('abort', () => resolve(), { once: true });
  });
  clearTimeout(timer);
  clearInterval(checks);
  unsubscribe();
  response.end();
  return undefined;
}
