import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { ImportPart } from '@saleschannel/contracts/gen/registry_import/v1/ImportPart';
import { asRegistry, eventually } from '@saleschannel/testing';
import { counts, startWorld, type World } from './fixture.ts';

const FILE_BYTES = 20 * 1024 * 1024;
const GROWTH_AT_MOST_BYTES = 40 * 1024 * 1024;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

function usedBytes(): number {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

test('a file of 20 MB is taken and applied in flat memory', async () => {
  const text = 'x'.repeat(200);
  let lines = 0;
  async function* file(): AsyncGenerator<ImportPart> {
    yield { header: { contentType: 'application/x-ndjson' }, part: 'header' };
    for (let sent = 0; sent < FILE_BYTES;) {
      const address = { postalCode: text, city: text, country: text, street1: text, street2: text };
      const data = Buffer.from(
        `${JSON.stringify({ type: 'account-holder', name: text, businessId: `MEMORY-${lines++}`, address })}\n`,
      );
      sent += data.length;
      yield { data, part: 'data' };
      if (lines % 2_000 === 0) peak = Math.max(peak, usedBytes());
    }
  }
  const before = usedBytes();
  let peak = before;
  const { importId } = await world.client.StartImport(file(), { ...(await asRegistry()), timeoutMs: 60_000 });
  let done = await world.client.GetImport({ importId }, await asRegistry());
  while (done.status !== 'COMPLETED') {
    const seen = Number(done.linesRead);
    done = await eventually(async () => {
      const found = await world.client.GetImport({ importId }, await asRegistry());
      return (found.status === 'COMPLETED' || Number(found.linesRead) >= seen + 1_000) && found;
    }, 'the next 1,000 lines');
    peak = Math.max(peak, usedBytes());
  }
  expect(counts(done)).toEqual({ status: 'COMPLETED', read: lines, applied: lines, failed: 0 });
  expect(peak - before).toBeLessThan(GROWTH_AT_MOST_BYTES);
}, 120_000);
