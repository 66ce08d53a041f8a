import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startSystem, type System } from '@saleschannel/e2e/system';
import { eventually } from '@saleschannel/testing';
import { startProxy } from '@saleschannel/testing/proxy';
import { checkEverything } from '../src/checks/check.ts';
import { collectCalls } from '../src/checks/findings.ts';
import type { Operator, PublicInstallation } from '../src/contract.ts';
import type { RunJournal } from '../src/workload/journal.ts';
import { isAcceptedTransfer } from '../src/fleet/fleet.ts';
import { Workload } from '../src/workload/workload.ts';
import { noFaults } from './support/correct-run.ts';

const LIMIT_MS = 180_000;
const END_MS = 90_000;
const TRANSFER = /\/inventory\/(?:trade|retire|offramp)$/;
/** Kinds with at least one answer before the run ends. */
const KINDS = [
  'trade',
  'retire',
  'offramp',
  'refused trade',
  'repeat trade',
  'reuse key of trade',
  'create trader',
  'accept proposal',
  'issue',
  'import',
  'use deleted key',
  'use removed role',
  'change approval',
  'resume holder',
  'approve',
  'read',
  'read long list',
  'read of another channel',
];

let system: System;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'chaos-'));
  system = await startSystem({ gateways: 2 });
}, LIMIT_MS);
afterAll(async () => {
  await system.stop();
  rmSync(folder, { recursive: true });
}, LIMIT_MS);

const createWorld = (
  { demo, channels }: System,
  gateways: readonly string[],
  operator: Operator,
): PublicInstallation => ({
  gateways,
  operators: [operator],
  demo,
  channels: channels.map(({ salesChannelId, accountHolderId, traders, users: [operator] }) => ({
    id: salesChannelId,
    credentials: operator.apiKey,
    traders,
    accountHolders: [accountHolderId],
  })),
  registry: demo.registryKey,
  receiverHost: '127.0.0.1',
});

test(
  'a run without faults has no findings',
  async () => {
    let accepted = 0;
    const onAnswer = (received: Buffer): void => void (isAcceptedTransfer(received) && (accepted += 1));
    const proxies = await Promise.all(system.baseUrls.map((url) => startProxy(url, { onAnswer })));
    const powers = await system.openOperatorClients();
    const world = createWorld(
      system,
      proxies.map(({ url }) => url),
      powers,
    );
    const failed: string[] = [];
    const log = (line: string): void => void (line.startsWith('A client failed') && failed.push(line));
    const workload = new Workload(world, { seed: 23, folder, perSecond: 30, log });
    await workload.start();
    const { entries } = workload.journal as RunJournal;
    await eventually(
      async () => {
        const answeredKinds = new Set(collectCalls(entries).flatMap(({ kind, outcome }) => (outcome ? [kind] : [])));
        return KINDS.every((kind) => answeredKinds.has(kind));
      },
      'an operation of each kind',
      { atMostMs: END_MS, everyMs: 500 },
    );
    await workload.finish(END_MS);
    const { operations, recoveries, longestStopMs, inFlight, ...verdict } = await checkEverything(
      world,
      workload.journal.file,
      noFaults,
    );
    expect(failed).toEqual([]);
    expect(verdict).toEqual({ lost: [], doubled: [], reordered: [], missed: [], wrong: [], errorsByKind: {} });
    const transfers = collectCalls(entries).filter(({ path, method }) => method === 'POST' && TRANSFER.test(path));
    const answers = transfers.flatMap(({ attempts }) => attempts).filter(({ status }) => status === 201);
    expect(answers.length).toBeGreaterThan(operations['trade'] ?? 0);
    expect(accepted).toBe(answers.length);
    const suspensions = entries.filter(({ type }) => type === 'suspension');
    expect(suspensions.length).toBeGreaterThan(0);
    for (const proxy of proxies) await proxy.stop();
    powers.close();
    expect({ recoveries, longestStopMs, underWay: inFlight }).toEqual({
      recoveries: [],
      longestStopMs: expect.any(Number),
      underWay: 0,
    });
  },
  LIMIT_MS,
);
