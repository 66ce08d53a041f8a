import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { audit, formatResult, toDatabaseUrls } from '@saleschannel/auditor';
import { AUDITOR } from '@saleschannel/installation';
import { connectPowers, type Demo } from '@saleschannel/local';
import { checkEverything } from './checks/check.ts';
import type { Operator, PublicInstallation, Verdict } from './contract.ts';
import { listFaults } from './faults/index.ts';
import { Installation } from './fleet/installation.ts';
import { listUnits, zones, type Mode } from './fleet/layout.ts';
import { healEverything, injectAll, type Injection } from './injection.ts';
import type { RunOutcome } from './report.ts';
import { drawLoop, drawSchedule } from './schedule.ts';
import { createWorkload } from './workload/workload.ts';

export interface RunOptions {
  readonly seed: number;
  readonly minutes: number;
  readonly only: readonly string[] | undefined;
  /** The only kind, repeated. */
  readonly loop: string | undefined;
  readonly mode: Mode;
  /** Folder for all files of the run. */
  readonly folder: string;
  /** Folder of the services' sources. */
  readonly root: string;
  readonly signal: AbortSignal;
  log(line: string): void;
}

/** Limit for the last unknown outcomes, after everything is healed. */
const FINISH_MS = 180_000;
const MINUTE_MS = 60_000;
const AUDIT_QUIET_SECONDS = 20;
const RECEIVER_HOST = '127.0.0.1';

/** Runs an installation under load and faults, heals it, and checks all outcomes. */
export async function run(options: RunOptions): Promise<RunOutcome> {
  const { seed, minutes, only, loop, mode, folder, root, signal, log } = options;
  const units = listUnits(mode);
  const faults = listFaults(units);
  const looped = faults.find(({ kind }) => kind === loop);
  const planned = looped ? drawLoop(seed, minutes, looped) : drawSchedule(seed, minutes, faults, only);
  writeFileSync(join(folder, 'schedule.json'), JSON.stringify(planned, undefined, 1));
  const installation = await Installation.open({ folder, units, root, log });
  const { fleet } = installation;
  const powers = await Promise.all(zones.map((zone) => connectPowers({ place: fleet.createPlace(zone) })));
  try {
    const world = createWorld(await installation.createDemo(), fleet.gateways, powers);
    const workload = createWorkload(world, { seed, folder, log });
    log('workload');
    await workload.start();
    log(looped ? `${looped.kind} in a loop` : `${planned.length} faults`);
    const forMs = minutes * MINUTE_MS;
    const injected = await injectAll({ installation, faults, planned, forMs, isLoop: !!looped, signal, log });
    writeFileSync(join(folder, 'faults.json'), JSON.stringify(injected, undefined, 1));
    log('healing');
    await healEverything(installation);
    log('repeating unknown outcomes');
    await workload.finish(FINISH_MS);
    log('checks');
    const verdict = await checkEverything(world, workload.journal, injected);
    log('audit');
    return buildOutcome(verdict, injected, installation, await findFindings(installation));
  } finally {
    for (const each of powers) each.close();
    await installation.stop();
  }
}

function createWorld(demo: Demo, gateways: readonly string[], operators: readonly Operator[]): PublicInstallation {
  const channels = demo.channels.map(({ salesChannelId, accountHolderId, traders, users: [operator] }) => ({
    id: salesChannelId,
    credentials: operator.apiKey,
    traders,
    accountHolders: [accountHolderId],
  }));
  return { gateways, demo, channels, registry: demo.registryKey, operators, receiverHost: RECEIVER_HOST };
}

/** Runs the auditor, which reads the databases, for a second opinion. */
async function findFindings({ place }: Installation): Promise<string[]> {
  const broker = { url: place.brokerUrlOf(AUDITOR), namespace: place.namespace };
  const results = await audit(toDatabaseUrls(place.auditUrl), { quietSeconds: AUDIT_QUIET_SECONDS, broker });
  return results.filter(({ count }) => count > 0).flatMap(formatResult);
}

function buildOutcome(
  verdict: Verdict,
  { intervals, kills, failures }: Injection,
  { fleet }: Installation,
  audit: readonly string[],
): RunOutcome {
  const notes = fleet.replicas
    .filter(({ crashes }) => crashes > 0)
    .map(({ name, crashes }) => `${name} exited unexpectedly ${crashes} times`);
  return { verdict, intervals, kills, audit, failures, notes };
}
