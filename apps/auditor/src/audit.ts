import { setTimeout as delay } from 'node:timers/promises';
import type { Check, DatabaseName, Finding, Result } from './domain/check.ts';
import { brokerChecks, type BrokerAddress } from './neighbours/broker.ts';
import { agreementChecks } from './store/agreement.ts';
import { anchorCheck, type ChainHeads } from './store/anchors.ts';
import { contentChecks } from './store/contents.ts';
import { countChecks } from './store/counts.ts';
import { genericChecks } from './store/generic.ts';
import { ledgerChecks } from './store/ledger.ts';
import { recordChecks } from './store/records.ts';
import { replayCheck } from './store/replayed.ts';
import { rightChecks } from './store/rights.ts';
import { taskChecks } from './store/tasks.ts';
import { openSnapshots, type Snapshots } from './store/snapshot.ts';
import { trailChecks } from './store/trail.ts';

/** The databases by service, each with a role that may read them. */
export type DatabaseUrls = Readonly<Record<DatabaseName, string>>;

export interface AuditOptions {
  /** Without it nobody asks for messages that were given up. */
  readonly broker?: BrokerAddress | undefined;
  /** How long something may be on its way before it counts as lost. */
  readonly quietSeconds?: number;
  /** How that time passes. */
  readonly pass?: (milliseconds: number) => Promise<unknown>;
  /** So many findings of each check are named. All are counted. */
  readonly findingsAtMost?: number;
  /** Chain heads that were kept outside of the databases, and a receiver of the present ones. */
  readonly anchors?: { readonly known: ChainHeads; readonly onHeads: (heads: ChainHeads) => void } | undefined;
  /** Told when a check has ended. */
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
/** Of what may pass so many are remembered, to be looked for again. More than that is no matter of moments. */
const REMEMBERED_AT_MOST = 100_000;

/**
 * Reads the databases, each at one moment, and compares all that is there. What may be on its way from one database to
 * another is looked at again after a while, and counts when it is as it was.
 * @throws Error when a database cannot be read, or a given broker not be asked
 */
export async function audit(urls: DatabaseUrls, options: AuditOptions = {}): Promise<Result[]> {
  const { broker, anchors, quietSeconds = QUIET_SECONDS, findingsAtMost = FINDINGS_AT_MOST, onResult } = options;
  const { pass = delay } = options;
  const asked = [
    ...checks,
    ...(anchors ? [anchorCheck(anchors.known, anchors.onHeads)] : []),
    ...(broker ? brokerChecks(broker) : []),
  ];
  const results: Result[] = [];
  const suspects: Suspect[] = [];
  await within(urls, async (snapshots) => {
    for (const check of asked) {
      const result = await run(check, snapshots, check.mayPass ? REMEMBERED_AT_MOST : findingsAtMost);
      if (check.mayPass && result.count > 0) suspects.push({ check, before: result });
      else onResult?.(result);
      results.push(result);
    }
  });
  if (suspects.length === 0) return results;
  await pass(quietSeconds * 1_000);
  await within(urls, async (snapshots) => {
    for (const { check, before } of suspects) {
      const result = await again(check, snapshots, before, findingsAtMost);
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

async function within(urls: DatabaseUrls, work: (snapshots: Snapshots) => Promise<void>): Promise<void> {
  const snapshots = await openSnapshots(urls);
  try {
    await work(snapshots);
  } finally {
    for (const snapshot of Object.values(snapshots)) await snapshot.close().catch(() => undefined);
  }
}

async function run(
  { name, about, run: look }: Check<Snapshots>,
  snapshots: Snapshots,
  findingsAtMost: number,
  counts: (finding: Finding) => boolean = () => true,
): Promise<Result> {
  let [rows, count] = [0, 0];
  const findings: Finding[] = [];
  await look(snapshots, {
    looked: (more) => (rows += more),
    found(id, detail) {
      const finding = { id, detail };
      if (!counts(finding)) return;
      count += 1;
      if (findings.length < findingsAtMost) findings.push(finding);
    },
  });
  return { name, about, rows, count, findings };
}

const textOf = ({ id, detail }: Finding): string => `${id}: ${detail}`;

function again(check: Check<Snapshots>, snapshots: Snapshots, before: Result, findingsAtMost: number): Promise<Result> {
  const known = new Set(before.findings.map(textOf));
  const isAll = before.count === before.findings.length;
  return run(check, snapshots, findingsAtMost, (finding) => !isAll || known.has(textOf(finding)));
}
