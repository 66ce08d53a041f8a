import { expect, test } from '@jest/globals';
import { drill } from '../src/drill.ts';

/** Two whole systems one after the other, on a busy machine. */
const LIMIT_MS = 400_000;

test(
  'after a restore to a point in time what came before is there, what came after is gone, and nothing is there twice',
  async () => {
    // The drill itself throws when one of these is not so.
    const [outcome] = await drill(
      { trades: 16, archive: 'command', archiveTimeoutSeconds: 1, restores: ['named point in time'] },
      () => undefined,
    );
    // Half of them were acknowledged after the point. All of them are made again by clients that send them again.
    expect(outcome?.aftermath.lost.length).toBeGreaterThanOrEqual(1);
    expect(outcome?.aftermath.madeAgain).toBe(outcome?.aftermath.lost.length);
    expect(outcome?.auditedChecks).toBeGreaterThan(0);
  },
  LIMIT_MS,
);
