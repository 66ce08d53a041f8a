import { appendFile, readFile } from 'node:fs/promises';
import { z } from 'zod';
import type { ChainHeads } from './store/anchors.ts';

const line = z.object({
  anchoredAt: z.string(),
  heads: z.record(z.string(), z.object({ sequence: z.string().regex(/^[1-9]\d*$/), hash: z.string().length(64) })),
});

/**
 * Reads the last anchored heads. A file that does not exist has none.
 * @throws Error if the file cannot be read, or its last line is not an anchor
 */
export async function readAnchors(path: string): Promise<ChainHeads> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  const last = text.trimEnd().split('\n').at(-1);
  if (!last) return {};
  try {
    return line.parse(JSON.parse(last)).heads;
  } catch (error) {
    throw new Error(`The last line of ${path} is not an anchor.`, { cause: error });
  }
}

/** Appends the heads as a line of JSON. Works on append-only storage. */
export const addAnchors = (path: string, heads: ChainHeads, now: Date): Promise<void> =>
  appendFile(path, `${JSON.stringify({ anchoredAt: now.toISOString(), heads } satisfies z.input<typeof line>)}\n`, {
    mode: 0o600,
    flush: true,
  });
