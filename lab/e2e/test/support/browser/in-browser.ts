import { afterAll, beforeAll, describe } from '@jest/globals';
import { chromium, type Browser } from 'playwright-core';
import type { System } from '../../../src/system.ts';
import { startConsole, type Console } from '../console.ts';
import { useOwnSystem } from '../system.ts';
import { Visitors } from './visit.ts';

/** Long, for a cold start of Chromium on a busy machine. */
const START_LIMIT_MS = 60_000;

export interface BrowserSystem {
  system(): System;
  /** Visitors of the portal and of its public pages. */
  visitors(): Visitors;
  /** Visitors of the console. `olga` is an operator. */
  operators(): Visitors;
  console(): Console;
  /** URL of a portal page. */
  portalUrl(path: string): string;
  /** URL of a console page. */
  consoleUrl(path: string): string;
  /** Sets the portal's clock ahead of this machine's. */
  setClockAhead(ms: number): void;
}

export type Stories = (stage: BrowserSystem) => void;

interface Running {
  readonly browser: Browser;
  readonly console: Console;
  readonly visitors: Visitors;
  readonly operators: Visitors;
}

async function start(system: System, executablePath: string): Promise<Running> {
  const [console, browser] = await Promise.all([startConsole(system), chromium.launch({ executablePath })]);
  return {
    browser,
    console,
    visitors: new Visitors(browser, { url: String(system.portalUrl), api: '/api/' }),
    operators: new Visitors(browser, { url: console.url, api: '/operator/v1/' }),
  };
}

/**
 * Runs stories in a real browser against a shared system with portal and console. Without a browser they are skipped;
 * the start of the run prints the reason.
 */
export function inBrowser(stories: Readonly<Record<string, Stories>>): void {
  const executablePath = process.env['TEST_CHROMIUM'];
  if (executablePath === undefined) {
    // Further lines come from apt-get; the start of the run has printed them.
    const [why] = (process.env['TEST_CHROMIUM_MISSING'] ?? 'none was looked for').split('\n');
    describe.skip(`in a browser: ${why}`, () => {
      for (const [name, story] of Object.entries(stories))
        describe(name, () => story(createStage(nothingRuns, nothingRuns)));
    });
    return;
  }
  describe('in a browser', () => {
    let aheadMs = 0;
    const system = useOwnSystem(
      { portal: { now: () => Date.now() + aheadMs } },
      { notAudited: 'bundles are created without transactions' },
    );
    let running: Running | undefined;
    beforeAll(async () => void (running = await start(system(), executablePath)), START_LIMIT_MS);
    afterAll(async () => {
      await running?.browser.close();
      await running?.console.stop();
    });
    const stage = createStage(
      system,
      () => running ?? nothingRuns(),
      (ms) => void (aheadMs = ms),
    );
    for (const [name, story] of Object.entries(stories)) describe(name, () => story(stage));
  });
}

function nothingRuns(): never {
  throw new Error('The browser has not started.');
}

const createStage = (
  system: () => System,
  running: () => Running,
  ahead: BrowserSystem['setClockAhead'] = () => undefined,
): BrowserSystem => ({
  system,
  visitors: () => running().visitors,
  operators: () => running().operators,
  console: () => running().console,
  portalUrl: (path) => new URL(path, system().portalUrl).href,
  consoleUrl: (path) => new URL(path, running().console.url).href,
  setClockAhead: ahead,
});
