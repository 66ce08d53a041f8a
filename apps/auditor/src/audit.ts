import { setTimeout as delay } from 'node:timers/promises';
import type { Check, DatabaseName, Finding, Result } from './domain/check.ts';
import { brokerChecks, type BrokerAddress } from './neighbours/broker.ts';
import { agreementChecks } from './store/agreement.ts';
import { anchorCheck, type ChainHeads } from './store/anchors.ts';
import { countChecks } from './store/counts.ts';
import { openSnapshots, type Snapshots } from './store/database-check.ts';
import { genericChecks } from './store/generic.ts';
import { ledgerChecks } from './store/ledger.ts';
import { recordChecks, taskChecks } from './store/records.ts';
import { replayCheck } from './store/replayed.ts';
import { rightChecks } from './store/rights.ts';
import { contentChecks, trailChecks } from './store/trail.ts';

/** URLs of the databases, with a role that may read them. */
export type DatabaseUrls = Readonly<Record<DatabaseName, string>>;

export interface AuditOptions {
  /** Without it, the broker is not checked. */
  readonly broker?: BrokerAddress | undefined;
  /** Time that a change may be in transit before it counts as lost. */
  readonly quietSeconds?: number;
  /** Waits for that time. */
  readonly wait?: (milliseconds: number) => Promise<unknown>;
  /** Maximum findings to return per check. All are counted. */
  readonly findingsAtMost?: number;
  /** Chain heads kept outside the databases, and a receiver of the current ones. */
  readonly anchors?: { readonly known: ChainHeads; readonly onHeads: (heads: ChainHeads) => void } | undefined;
  /** Receives the result of each check. */
  readonly onResult?: (result: Result) => void;
}

const checks: readonly Check<Snapshots>[] = [
  ...ledgerChecks,
  replayCheck,
  ...taskChecks,
  ...recordChecks,
  ...trailChecks,
  ...contentChecks,
  ...rightChecks,
  ...countChecks,
  ...genericChecks,
  ...agreementChecks,
];

const FINDINGS_AT_MOST = 20;
const QUIET_SECONDS = 60;
/** Findings per check to compare in the second look. More cannot be changes in transit. */
const SUSPECTS_AT_MOST = 100_000;

/**
 * Compares the databases, each on one snapshot. Findings that may be changes in transit are checked a second time, and
 * count if they are unchanged.
 * @throws Error if a database cannot be read, or a given broker cannot be queried
 */
export async function audit(urls: DatabaseUrls, options: AuditOptions = {}): Promise<Result[]> {
  const { broker, anchors, quietSeconds = QUIET_SECONDS, findingsAtMost = FINDINGS_AT_MOST, onResult } = options;
  const { wait = delay } = options;
  const allChecks = [
    ...checks,
    ...(anchors ? [anchorCheck(anchors.known, anchors.onHeads)] : []),
    ...(broker ? brokerChecks(broker) : []),
  ];
  const results: Result[] = [];
  const suspects: Suspect[] = [];
  await withSnapshots(urls, async (snapshots) => {
    for (const check of allChecks) {
      const result = await run(check, snapshots, check.isTransient ? SUSPECTS_AT_MOST : findingsAtMost);
      if (check.isTransient && result.count > 0) suspects.push({ check, before: result });
      else onResult?.(result);
      results.push(result);
    }
  });
  if (suspects.length === 0) return results;
  await wait(quietSeconds * 1_000);
  await withSnapshots(urls, async (snapshots) => {
    for (const { check, before } of suspects) {
      const result = await runAgain(check, snapshots, before, findingsAtMost);
      results[results.indexOf(before)] = result;
      onResult?.(result);
    }
  });
  return results;
}

interface Suspect {
  readonly check: Check<Snapshots>;
  readonly before: Result;
}

async function withSnapshots(urls: DatabaseUrls, work: (snapshots: Snapshots) => Promise<void>): Promise<void> {
  const snapshots = await openSnapshots(urls);
  try {
    await work(snapshots);
  } finally {
    for (const snapshot of Object.values(snapshots)) await snapshot.close().catch(() => undefined);
  }
}

async function run(
  { name, about, run: runCheck }: Check<Snapshots>,
  snapshots: Snapshots,
  findingsAtMost: number,
  counts: (finding: Finding) => boolean = () => true,
): Promise<Result> {
  let [rows, count] = [0, 0];
  const findings: Finding[] = [];
  await runCheck(snapshots, {
    countRows: (more) => (rows += more),
    report(id, detail) {
      const finding = { id, detail };
      if (!counts(finding)) return;
      count += 1;
      if (findings.length < findingsAtMost) findings.push(finding);
    },
  });
  return { name, about, rows, count, findings };
}

const toText = ({ id, detail }: Finding): string => `${id}: ${detail}`;

/** Counts only findings of the first run, unless there were too many to compare. */
function runAgain(
  check: Check<Snapshots>,
  snapshots: Snapshots,
  before: Result,
  findingsAtMost: number,
): Promise<Result> {
  const known = new Set(before.findings.map(toText));
  const isComplete = before.count === before.findings.length;
  return run(check, snapshots, findingsAtMost, (finding) => !isComplete || known.has(toText(finding)));
}
