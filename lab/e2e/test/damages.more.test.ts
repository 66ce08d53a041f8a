import { damages, isInShortRun } from './support/damages.ts';
import { testDamages, useRuins } from './support/damaged-databases.ts';

/** The damages that auditor.test.ts leaves out. */
testDamages(
  useRuins(),
  damages.filter((damage) => !isInShortRun(damage)),
);
