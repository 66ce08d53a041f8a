import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { refreshSession, markSessionEnded } from '../session/session.ts';
import { ApiError, createNoResponseError, toApiError } from './problem.ts';

export type FollowState = 'connecting' | 'live' | 'broken';

export interface FollowOptions {
  /** Path of the stream, without the start position. */
  readonly path: string;
  /** Id of the last event before the start. */
  readonly lastId: string;
  readonly signal: AbortSignal;
  onMessage(message: EventSourceMessage): void;
  /** Reports the connection state and the position to resume from. */
  onState(state: FollowState, lastId: string, error?: unknown): void;
}

/** The API sends a heartbeat every 15 seconds. Longer silence means a dead connection. */
const SILENCE_MS = 45_000;
const DEFAULT_RETRY_MS = 2_000;
const REFUSALS: readonly (number | undefined)[] = [400, 403, 404];

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });

/** `EventSource` cannot send the headers that the server requires. */
async function open(path: string, lastId: string, signal: AbortSignal): Promise<ReadableStream<string>> {
  await refreshSession();
  const headers = { 'X-Portal': 'background', Accept: 'text/event-stream', 'Last-Event-ID': lastId };
  const response = await fetch(path, { headers, signal, cache: 'no-store' });
  if (response.ok && response.body) return response.body.pipeThrough(new TextDecoderStream());
  throw toApiError(response.status, await response.json().catch(() => undefined), response.headers);
}

/** Returns when the stream ends or falls silent. */
async function read(stream: ReadableStream<string>, silent: AbortController, onText: (text: string) => void) {
  const reader = stream.getReader();
  for (;;) {
    const silence = setTimeout(() => silent.abort(), SILENCE_MS);
    const { done, value } = await reader.read().finally(() => clearTimeout(silence));
    if (done) return;
    onText(value);
  }
}

/** Follows a stream until aborted. Reconnects at the last position, at most every two seconds. */
export async function follow({ path, lastId, signal, onMessage, onState }: FollowOptions): Promise<void> {
  let position = lastId;
  let retryMs = DEFAULT_RETRY_MS;
  const parser = createParser({
    onEvent: onMessage,
    // Messages without data also advance the position.
    onId(id) {
      position = id;
      onState('live', position);
    },
    onRetry: (ms) => void (retryMs = Math.max(DEFAULT_RETRY_MS, ms)),
  });
  while (!signal.aborted) {
    const silent = new AbortController();
    let error: unknown;
    try {
      onState('connecting', position);
      const stream = await open(path, position, AbortSignal.any([signal, silent.signal]));
      onState('live', position);
      await read(stream, silent, parser.feed);
    } catch (caught) {
      error = caught instanceof ApiError ? caught : createNoResponseError();
    }
    if (signal.aborted) return;
    onState('broken', position, error);
    const refusal = error instanceof ApiError ? error : undefined;
    if (refusal?.isSignedOut) markSessionEnded();
    if (REFUSALS.includes(refusal?.status)) return;
    // A message cut off by the break is sent again in full.
    parser.reset();
    const seconds = refusal?.retryAfterSeconds;
    await pause(seconds === undefined ? retryMs : Math.max(DEFAULT_RETRY_MS, 1_000 * seconds), signal);
  }
}
