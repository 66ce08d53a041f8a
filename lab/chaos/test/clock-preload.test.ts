import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { createTemporaryFolder, removeFolder } from '@saleschannel/local-backends';
import { eventually } from '@saleschannel/testing';

const preload = pathToFileURL(join(import.meta.dirname, '../src/clock-preload.ts')).href;
const SHIFT_MS = 3_600_000;
const TOLERANCE_MS = 600_000;
const PROGRAM = `
process.on('message', () => process.send({
  now: Date.now(),
  made: new Date().getTime(),
  given: new Date(5).getTime(),
  isDate: new Date() instanceof Date && structuredClone(new Date(5)) instanceof Date,
}));
process.send('ready');`;

let folder: string;
let child: ChildProcess;
beforeEach(async () => {
  folder = await createTemporaryFolder();
});
afterEach(() => {
  child.kill('SIGKILL');
  removeFolder(folder);
});

interface ClockReport {
  readonly now: number;
  readonly made: number;
  readonly given: number;
  readonly isDate: boolean;
}

async function ask(): Promise<ClockReport> {
  const answer = once(child, 'message');
  child.send('time');
  return (await answer)[0] as ClockReport;
}

const isShifted = (report: number, shiftMs: number): boolean => Math.abs(report - Date.now() - shiftMs) < TOLERANCE_MS;

/** Waits, because a signal may arrive after messages that were sent later. */
async function expectShift(shiftMs: number): Promise<void> {
  const report = await eventually(async () => {
    const answer = await ask();
    return isShifted(answer.now, shiftMs) && answer;
  }, `a clock that is ${shiftMs} ms ahead`);
  expect(isShifted(report.made, shiftMs)).toBe(true);
  expect(report).toMatchObject({ given: 5, isDate: true });
}

test('the clock of a process is shifted, and corrected again', async () => {
  const file = join(folder, 'clock');
  child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', '--import', preload, '-e', PROGRAM], {
    env: { CHAOS_CLOCK_FILE: file },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  await once(child, 'message');
  await expectShift(0);
  for (const shiftMs of [SHIFT_MS, -SHIFT_MS, 0]) {
    writeFileSync(file, String(shiftMs));
    child.kill('SIGUSR2');
    await expectShift(shiftMs);
  }
});
