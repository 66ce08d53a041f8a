import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '@saleschannel/testing';
import { NDJSON, type Part } from './support/records.ts';
import { counts, startRegistryImport, type RegistryImport } from './support/registry-import.ts';

const MIB = 1024 * 1024;
const FILE_BYTES = 128 * MIB;
/** Data in flight takes 60 MiB, regardless of the file: client and service share this process. */
const MAX_GROWTH_BYTES = 100 * MIB;
/** Blanks make the JSON file long, but cheap to process. */
const PADDING = ' '.repeat(40_000);
/** Garbage collection is slower than processing this many of about 3,300 lines. */
const LINES_PER_CHECK = 800;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

function usedBytes(): number {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

let registry: RegistryImport;
beforeAll(async () => {
  registry = await startRegistryImport();
});
afterAll(() => registry.stop());

test('a file of 128 MiB is uploaded and applied in flat memory', async () => {
  const text = 'x'.repeat(200);
  let lines = 0;
  async function* file(): AsyncGenerator<Part> {
    yield { header: NDJSON, part: 'header' };
    let sent = 0;
    while (sent < FILE_BYTES) {
      const address = { postalCode: text, city: text, country: text, street1: text, street2: text };
      const holder = { type: 'account-holder', name: text, businessId: `MEMORY-${lines++}`, address };
      const data = Buffer.from(`${JSON.stringify(holder)}${PADDING}\n`);
      sent += data.length;
      yield { data, part: 'data' };
      if (lines % LINES_PER_CHECK === 0) peak = Math.max(peak, usedBytes());
    }
    yield { end: { bytes: sent }, part: 'end' };
  }
  const before = usedBytes();
  let peak = before;
  const { importId } = await registry.startImport(file());
  let done = await registry.getImport(importId);
  let checkedLines = 0;
  while (done.status !== 'COMPLETED') {
    const seen = Number(done.linesRead);
    done = await eventually(async () => {
      const found = await registry.getImport(importId);
      return (found.status === 'COMPLETED' || Number(found.linesRead) >= seen + 200) && found;
    }, 'the next 200 lines');
    if (done.status !== 'COMPLETED' && Number(done.linesRead) < checkedLines + LINES_PER_CHECK) continue;
    checkedLines = Number(done.linesRead);
    peak = Math.max(peak, usedBytes());
  }
  expect(counts(done)).toEqual({ status: 'COMPLETED', read: lines, applied: lines, failed: 0 });
  expect(peak - before).toBeLessThan(MAX_GROWTH_BYTES);
}, 300_000);
