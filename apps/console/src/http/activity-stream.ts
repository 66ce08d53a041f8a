import { unavailable } from '@saleschannel/errors';
import type { Activity, Watch } from '../watch/watch.ts';
import type { RequestContext } from './operation.ts';

/** A stream ends after this time, so that its reader is looked at again: they may be no operator any more. */
const STREAM_MS = 300_000;
/** How long a reader waits before it connects anew. */
const RETRY_MS = 1_000;
const STREAMS_AT_MOST = 100;
/** Between two looks at whether the session of the reader still lives. Identity's answers count for two seconds. */
const SESSION_LOOK_MS = 1_000;

const eventOf = (activity: Activity): string => `event: activity\ndata: ${JSON.stringify(activity)}\n\n`;

/**
 * Sends each new picture, the newest one first (WHATWG HTML, server-sent events). A reader that does not keep up
 * misses pictures: at most one waits for it.
 * @throws DomainError 'unavailable' when too many look
 */
export async function streamActivity(watch: Watch, { response, gone, goesOn }: RequestContext): Promise<undefined> {
  if (watch.watchers >= STREAMS_AT_MOST) throw unavailable(new Error('too many look at the activity'));
  // Express would name the charset, which is always UTF-8 here.
  response.status(200).setHeader('Content-Type', 'text/event-stream').setHeader('X-Accel-Buffering', 'no');
  response.write(`retry: ${RETRY_MS}\n\n${eventOf(watch.latest)}`);
  const unsubscribe = watch.subscribe((activity) => {
    if (!response.writableNeedDrain) response.write(eventOf(activity));
  });
  const ending = new AbortController();
  const timer = setTimeout(() => ending.abort(), STREAM_MS).unref();
  const looks = setInterval(() => void goesOn().then((isGoing) => isGoing || ending.abort()), SESSION_LOOK_MS).unref();
  await new Promise<void>((resolve) => {
    const over = AbortSignal.any([gone, watch.closing, ending.signal]);
    if (over.aborted) resolve();
    else over.addEventListener('abort', () => resolve(), { once: true });
  });
  clearTimeout(timer);
  clearInterval(looks);
  unsubscribe();
  response.end();
  return undefined;
}
