import { expect, test } from '@jest/globals';
import { drill } from '../src/drill.ts';

/** The test runs two whole systems in sequence, on a busy machine. */
const LIMIT_MS = 400_000;

test(
  'a restore to a point in time keeps all earlier trades, drops all later ones and duplicates none',
  async () => {
    // The drill itself throws if one of these does not hold.
    const [outcome] = await drill(
      { trades: 16, archive: 'command', archiveTimeoutSeconds: 1, restores: ['named point in time'] },
      () => undefined,
    );
    // Half of the trades were acknowledged after the point. Clients send all of those again.
    expect(outcome?.aftermath.lost.length).toBeGreaterThanOrEqual(1);
    expect(outcome?.aftermath.createdAgain).toBe(outcome?.aftermath.lost.length);
    expect(outcome?.auditedChecks).toBeGreaterThan(0);
  },
  LIMIT_MS,
);
