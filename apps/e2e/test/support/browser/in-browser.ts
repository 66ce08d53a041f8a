import { afterAll, beforeAll, describe } from '@jest/globals';
import { chromium, type Browser } from 'playwright-core';
import type { System } from '../../../src/system.ts';
import { useSystem } from '../system.ts';
import { Visitors } from './visit.ts';

/** A cold start of chromium on a machine that has much else to do. */
const START_LIMIT_MS = 60_000;

export interface Stage {
  system(): System;
  visitors(): Visitors;
  /** An address of the portal. */
  at(path: string): string;
  /** Puts the portal's clock ahead of this machine's. */
  ahead(ms: number): void;
}

export type Stories = (stage: Stage) => void;

/**
 * Stories in a real browser, against a system with its portal that they share. Where there is no browser they are
 * skipped by their names; the start of the run has said why.
 */
export function inBrowser(stories: Readonly<Record<string, Stories>>): void {
  const executablePath = process.env['TEST_CHROMIUM'];
  let aheadMs = 0;
  const run = (): void => {
    const system = useSystem(
      { portal: { now: () => Date.now() + aheadMs } },
      { notAudited: 'bundles are made that no transaction tells of' },
    );
    let browser: Browser | undefined;
    let visitors: Visitors | undefined;
    beforeAll(async () => {
      browser = await chromium.launch({ ...(executablePath !== undefined && { executablePath }) });
      visitors = new Visitors(browser, String(system().portalUrl));
    }, START_LIMIT_MS);
    afterAll(() => browser?.close());
    const stage: Stage = {
      system,
      visitors: () => {
        if (!visitors) throw new Error('the browser has not started');
        return visitors;
      },
      at: (path) => new URL(path, system().portalUrl).href,
      ahead: (ms) => void (aheadMs = ms),
    };
    for (const [name, story] of Object.entries(stories)) describe(name, () => story(stage));
  };
  if (executablePath !== undefined) describe('in a browser', run);
  else {
    // Further lines are those of apt-get, which the start of the run has shown.
    const [why] = (process.env['TEST_CHROMIUM_MISSING'] ?? 'none was looked for').split('\n');
    describe.skip(`in a browser: ${why}`, run);
  }
}
