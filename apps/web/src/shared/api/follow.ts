import { freshSession, sessionEnded } from '../session/session.ts';
import { ApiError, noAnswer, problemOf } from './problem.ts';
import { ServerSentParser, type ServerSentMessage } from './server-sent.ts';

export type FollowState = 'connecting' | 'live' | 'broken';

export interface FollowOptions {
  /** Of the API, without the place to begin at. */
  readonly path: string;
  /** The id after which to begin. */
  readonly lastId: string;
  readonly signal: AbortSignal;
  onMessage(message: ServerSentMessage): void;
  /** Tells where to go on, and how it stands. */
  onState(state: FollowState, lastId: string, error?: unknown): void;
}

/** The API says something every 15 seconds. Who says nothing for longer is gone. */
const SILENCE_MS = 45_000;
const USUAL_RETRY_MS = 2_000;
const REFUSALS: readonly (number | undefined)[] = [400, 403, 404];

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });

async function open(path: string, lastId: string, signal: AbortSignal): Promise<ReadableStream<Uint8Array>> {
  await freshSession();
  const headers = { 'X-Portal': 'background', Accept: 'text/event-stream', 'Last-Event-ID': lastId };
  const response = await fetch(`/api${path}`, { headers, signal, cache: 'no-store' });
  if (response.ok && response.body) return response.body;
  throw problemOf(response.status, await response.json().catch(() => undefined), response.headers);
}

/** Ends when the stream does, or when nothing comes of it any more. */
async function read(
  stream: ReadableStream<Uint8Array>,
  parser: ServerSentParser,
  gone: AbortController,
  onMessages: (messages: ServerSentMessage[]) => void,
): Promise<void> {
  const decoder = new TextDecoder();
  const reader = stream.getReader();
  for (;;) {
    const silence = setTimeout(() => gone.abort(), SILENCE_MS);
    const { done, value } = await reader.read().finally(() => clearTimeout(silence));
    if (done) return;
    onMessages(parser.push(decoder.decode(value, { stream: true })));
  }
}

const waitAfter = (error: unknown, parser: ServerSentParser): number => {
  const seconds = error instanceof ApiError ? error.retryAfterSeconds : undefined;
  return Math.max(USUAL_RETRY_MS, seconds === undefined ? (parser.retryMs ?? 0) : 1_000 * seconds);
};

/** Follows a stream of the API until it is told to stop: connects again where it was, and never asks twice a second. */
export async function follow({ path, lastId, signal, onMessage, onState }: FollowOptions): Promise<void> {
  const parser = new ServerSentParser();
  parser.lastId = lastId;
  while (!signal.aborted) {
    const gone = new AbortController();
    let error: unknown;
    try {
      onState('connecting', parser.lastId);
      const stream = await open(path, parser.lastId, AbortSignal.any([signal, gone.signal]));
      onState('live', parser.lastId);
      await read(stream, parser, gone, (messages) => {
        messages.forEach(onMessage);
        onState('live', parser.lastId ?? lastId);
      });
    } catch (caught) {
      if (signal.aborted) return;
      error = caught instanceof ApiError ? caught : noAnswer();
    }
    if (signal.aborted) return;
    onState('broken', parser.lastId, error);
    if (error instanceof ApiError && error.isSignedOut) sessionEnded();
    if (error instanceof ApiError && REFUSALS.includes(error.status)) return;
    // Half a message of a broken stream comes again as a whole.
    parser.restart();
    await pause(waitAfter(error, parser), signal);
  }
}
