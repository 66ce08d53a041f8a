import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { httpClient } from '@saleschannel/local';
import { request } from 'undici';
import { basicAuthorization, type Credentials } from './markets.ts';

const PIECE_CHARACTERS = 64 * 1024;
const POLL_MS = 50;

/**
 * Runs one bulk import through the gateway, streaming its lines. Returns when it is complete.
 * @param watch is called repeatedly with the number of applied lines
 * @throws Error if not all lines were applied
 */
export async function importLines(
  baseUrl: string,
  { username, password }: Credentials,
  lines: Iterable<string>,
  watch: (applied: number) => void = () => undefined,
): Promise<void> {
  const authorization = basicAuthorization(username, password);
  const answer = await request(`${baseUrl}/Registry/api/imports`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/x-ndjson' },
    body: Readable.from(chunkLines(lines)),
  });
  const { importId } = (await answer.body.json()) as { importId: string };
  const registry = httpClient(baseUrl, { username, password });
  for (;;) {
    const state = await registry.ok<Progress>('GET', `/Registry/api/imports/${importId}`);
    watch(state.linesApplied);
    if (state.status === 'COMPLETED' && state.linesFailed === 0) return;
    if (state.status === 'COMPLETED' || state.status === 'FAILED') {
      throw new Error(`The import ended ${JSON.stringify(state)}`);
    }
    await delay(POLL_MS);
  }
}

interface Progress {
  readonly status: string;
  readonly linesApplied: number;
  readonly linesFailed: number;
}

function* chunkLines(lines: Iterable<string>): Generator<Buffer> {
  let piece = '';
  for (const line of lines) {
    piece += `${line}\n`;
    if (piece.length < PIECE_CHARACTERS) continue;
    yield Buffer.from(piece);
    piece = '';
  }
  yield Buffer.from(piece);
}
