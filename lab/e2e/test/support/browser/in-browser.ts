import { afterAll, beforeAll, describe } from '@jest/globals';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import type { System } from '../../../src/system.ts';
import { startConsole, type Console } from '../console.ts';
import { useOwnSystem } from '../system.ts';

/** The development identity provider asks for a name, then for consent. */
const MORE_THAN_A_SIGN_IN_NEEDS = 4;
/** Longer than any step on a busy machine. */
const PAGE_LIMIT_MS = 20_000;
/** Part of a failed page to print. */
const SHOWN_CHARACTERS = 800;

interface VisitOptions {
  readonly width?: number;
  readonly height?: number;
  readonly theme?: 'light' | 'dark';
  /** Page errors that the visit provokes. */
  readonly provokes?: RegExp;
  /** Whether pages may run scripts. */
  readonly script?: boolean;
}

/** Site whose pages are visited. */
interface Site {
  readonly url: string;
  /** Path of its operations. */
  readonly api: string;
}

/** Errors in the pages of a site. */
class Faults {
  readonly #found: string[] = [];
  readonly #site: Site;

  constructor(site: Site) {
    this.#site = site;
  }

  get found(): readonly string[] {
    return this.#found;
  }

  /** Watches all pages of a context. */
  async watch(context: BrowserContext): Promise<void> {
    await context.exposeBinding('tellViolation', ({ frame }, violation: string) => {
      if (this.#isOurs(frame.url())) this.#found.push(`${frame.url()} breaks the content policy: ${violation}`);
    });
    await context.addInitScript(`
      document.addEventListener('securitypolicyviolation', (event) => {
        void window.tellViolation(event.effectiveDirective + ' ' + event.blockedURI + ' ' + event.sample);
      });
    `);
    context.on('page', (page) => {
      page.on('pageerror', (error) => void this.#found.push(`${page.url()} throws ${error.message}`));
      page.on('console', (message) => {
        const { url } = message.location();
        // Pages handle error responses of the API.
        const isAnswer =
          url.startsWith(`${this.#site.url}${this.#site.api}`) && message.text().startsWith('Failed to load resource');
        if (message.type() !== 'error' || !this.#isOurs(page.url()) || isAnswer) return;
        this.#found.push(`${page.url()} writes ${message.text().slice(0, SHOWN_CHARACTERS)} (${url})`);
      });
    });
  }

  #isOurs(url: string): boolean {
    return url.startsWith(new URL('/', this.#site.url).href);
  }
}

/** Signs in from the start page of a site, through the pages of the identity provider. */
export async function signIn(page: Page, siteUrl: string, person: string): Promise<void> {
  await page.goto(siteUrl);
  await page.getByRole('link', { name: 'Sign in' }).click();
  await completeSignIn(page, siteUrl, person);
  await page.getByRole('button', { name: person, exact: true }).waitFor();
}

/** Completes the pages of the identity provider, until the site is shown. */
export async function completeSignIn(page: Page, siteUrl: string, person: string): Promise<void> {
  for (let step = 0; step < MORE_THAN_A_SIGN_IN_NEEDS; step++) {
    await page.waitForLoadState();
    if (page.url().startsWith(siteUrl)) break;
    const login = page.locator('input[name=login]');
    if ((await login.count()) > 0) {
      await login.fill(person);
      await page.locator('input[name=password]').fill('any');
    }
    await Promise.all([page.waitForEvent('load'), page.locator('button[type=submit]').click()]);
  }
}

type State = Awaited<ReturnType<BrowserContext['storageState']>>;

/** A browser whose users sign in once through the pages and later use their cookies. */
export class Visitors {
  readonly #browser: Browser;
  readonly #site: Site;
  readonly #states = new Map<string, Promise<State>>();

  constructor(browser: Browser, site: Site) {
    this.#browser = browser;
    this.#site = site;
  }

  /**
   * Opens a private window for the visit, and closes it.
   * @throws Error with all errors of the pages, or with the failure and the page's text
   */
  async visit<T>(person: string | undefined, look: VisitOptions, act: (page: Page) => Promise<T>): Promise<T> {
    const faults = new Faults(this.#site);
    const context = await this.#open(person, look, faults);
    const page = await context.newPage();
    try {
      const result = await act(page);
      const unprovoked = faults.found.filter((fault) => look.provokes?.test(fault) !== true);
      if (unprovoked.length > 0) throw new Error(unprovoked.join('\n'));
      return result;
    } catch (error) {
      const text = await page.evaluate<string>('document.body.innerText').catch(() => 'nothing');
      const report = [`${page.url()} shows:`, text.slice(0, SHOWN_CHARACTERS), ...faults.found, String(error)];
      throw new Error(report.join('\n'), { cause: error });
    } finally {
      await context.close();
    }
  }

  async #open(person: string | undefined, look: VisitOptions, faults?: Faults): Promise<BrowserContext> {
    const { width = 1_280, height = 800, theme = 'light', script = true } = look;
    const state = person === undefined ? undefined : await this.#getState(person);
    const context = await this.#browser.newContext({
      viewport: { width, height },
      colorScheme: theme,
      locale: 'en-GB',
      timezoneId: 'Europe/Oslo',
      reducedMotion: 'reduce',
      javaScriptEnabled: script,
      ...(state && { storageState: state }),
    });
    context.setDefaultTimeout(PAGE_LIMIT_MS);
    await faults?.watch(context);
    return context;
  }

  #getState(person: string): Promise<State> {
    const known = this.#states.get(person) ?? this.#signedIn(person);
    this.#states.set(person, known);
    return known;
  }

  async #signedIn(person: string): Promise<State> {
    const context = await this.#open(undefined, {});
    try {
      await signIn(await context.newPage(), this.#site.url, person);
      return await context.storageState();
    } finally {
      await context.close();
    }
  }
}

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
