'use strict';
// The order of test files. Jest begins with those that took longest, as it remembers. On a clean checkout it remembers
// nothing and goes by the length of files: the longest tests, which are told in a few lines, would come last, and the
// other processes would wait for them.
const { default: Sequencer } = require('@jest/test-sequencer');

/** By the end of their paths, those of more than a minute. */
const LONGEST = [
  'apps/e2e/test/browser/people.test.ts',
  'deploy/docker/test/image.test.ts',
  'apps/e2e/test/browser/pages.test.ts',
  'apps/e2e/test/browser/documentation.test.ts',
  'apps/e2e/test/auditor.test.ts',
  'apps/e2e/test/slow-readers.test.ts',
  'apps/registry-import/test/import-resume.test.ts',
  'apps/registry-import/test/import-memory.test.ts',
  'apps/inventory/test/races.test.ts',
  'apps/e2e/test/sdk-trades.test.ts',
];
const placeOf = ({ path }) => {
  const place = LONGEST.findIndex((end) => path.replaceAll('\\', '/').endsWith(`/${end}`));
  return place === -1 ? LONGEST.length : place;
};

module.exports = class LongestFirst extends Sequencer {
  sort(tests) {
    // Sorting is stable: all others stay in Jest's order.
    return super.sort(tests).toSorted((one, other) => placeOf(one) - placeOf(other));
  }
};
