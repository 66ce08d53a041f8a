import { damages, isInShortRun } from './support/damages.ts';
import { testDamages, useDamagedDatabases } from './support/damaged-databases.ts';

/** The damages that auditor.test.ts leaves out. */
testDamages(
  useDamagedDatabases(),
  damages.filter((damage) => !isInShortRun(damage)),
);
