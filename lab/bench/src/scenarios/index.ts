import { cost } from '../trials/cost.ts';
import { modes } from '../trials/modes.ts';
import { oneRow } from '../trials/one-row.ts';
import { ownServers } from '../trials/own-servers.ts';
import { standby } from '../trials/standby.ts';
import { telemetry } from '../trials/telemetry.ts';
import { threeBrokers } from '../trials/three-brokers.ts';
import { twoPhase } from '../trials/two-phase.ts';
import type { Scenario } from '../scenario.ts';
import { admission } from './admission.ts';
import { fairness } from './fairness.ts';
import { growth } from './growth.ts';
import { imports } from './import.ts';
import { inventory } from './inventory.ts';
import { latency } from './latency.ts';
import { pages } from './pages.ts';
import { reads } from './reads.ts';
import { settle } from './settle.ts';
import { start } from './start.ts';
import { webhooks } from './webhooks.ts';
import { width } from './width.ts';

/** All scenarios, in the order in which they run. */
export const scenarios: readonly Scenario[] = [
  settle,
  latency,
  reads,
  inventory,
  fairness,
  admission,
  growth,
  imports,
  pages,
  start,
  webhooks,
  width,
  cost,
  ownServers,
  oneRow,
  threeBrokers,
  twoPhase,
  standby,
  telemetry,
  modes,
];
