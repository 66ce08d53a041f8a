import { damages, isInShortRun } from './support/damages.ts';
import { testDamages, useRuins } from './support/ruins.ts';

/** The damages that auditor.test.ts leaves out. */
testDamages(
  useRuins(),
  damages.filter((damage) => !isInShortRun(damage)),
);
