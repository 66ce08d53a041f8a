import { expect, test } from '@jest/globals';
import { stableHash } from './stable-hash.ts';

// Other releases gave these: whoever changes them takes partitions apart.
test('a text gives the same number for ever', () => {
  expect(['', 'a', '5b0c2d9e-1f5a-4f0e-9a53-6a3c0f6f4a11'].map(stableHash)).toEqual([
    2872998923, 444641715, 2396161401,
  ]);
});

test('texts that differ in one place are spread evenly', () => {
  const counts = [0, 0, 0, 0, 0, 0, 0, 0];
  for (let number = 0; number < 8_000; number++) {
    const place = stableHash(`replica-${number}`) % counts.length;
    counts[place] = (counts[place] ?? 0) + 1;
  }
  for (const count of counts) expect(Math.abs(count - 1_000)).toBeLessThan(150);
});
