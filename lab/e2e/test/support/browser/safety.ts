import { expect, test, beforeAll } from '@jest/globals';
import { roles } from '@saleschannel/auth';
import type { Page } from 'playwright-core';
import { operator } from '../api.ts';
import type { BrowserSystem } from './in-browser.ts';
import { waitUntilLoaded } from './pages.ts';
import { FILL_LIMIT_MS, ensureSampleData, HOLDER, type SampleData } from './sample-data.ts';

/** User of the second sales channel, and user of its account holder. */
const CHANNEL_B = 'carl';
const HOLDER_B = 'sara';
const UNKNOWN = 'cm7q1a9tr0003x9f2b6s2j8u';
/** Differs on every request. */
const OF_THE_MOMENT = /Request [\w-]+/g;

/** Users of one sales channel or account holder, at the pages of another one. */
export function isolationStories(stage: BrowserSystem): void {
  let theirs: SampleData;
  beforeAll(async () => {
    const { administration, demo, channels } = stage.system();
    const { issuer } = demo;
    const [, { salesChannelId, accountHolderId }] = channels;
    await administration.assignRoles({ issuer, subject: CHANNEL_B, salesChannelId, roles });
    await administration.setAccountHolder({ issuer, subject: HOLDER_B, accountHolderId });
    theirs = await ensureSampleData(stage);
  }, FILL_LIMIT_MS);

  const shownAt = async (page: Page, path: string): Promise<string> => {
    await page.goto(stage.portalUrl(path));
    await waitUntilLoaded(page);
    // Wait for the navigation that depends on the user's rights, which may load last.
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link').first().waitFor();
    return page.locator('main').innerText();
  };
  /** Texts that others must never see. */
  const secrets = (): string[] => [
    ...Object.values(theirs).filter((id) => id !== theirs.importId && id !== theirs.certificate),
    'Nordic Biochar AS',
    'Nordlys Ferries AS',
  ];
  const lists: readonly (readonly [person: string, own: string, paths: readonly string[]])[] = [
    [
      CHANNEL_B,
      'anna',
      [
        '/channel',
        '/channel/transactions',
        '/channel/events',
        '/channel/webhooks',
        '/channel/traders',
        '/channel/people',
        '/channel/audit',
      ],
    ],
    [HOLDER_B, HOLDER, ['/holder', '/holder/approvals', '/holder/listings', '/holder/transactions']],
  ];

  test.each(lists)('no list of %s shows data of others', async (person, own, paths) => {
    const readLists = async (who: string): Promise<string> =>
      stage.visitors().visit(who, {}, async (page) => {
        const texts: string[] = [];
        for (const path of paths) texts.push(await shownAt(page, path), await page.locator('main').innerHTML());
        return texts.join('\n');
      });
    const [mine, others] = [await readLists(person), await readLists(own)];
    expect(secrets().filter((text) => mine.includes(text))).toEqual([]);
    // Control: on these pages the owners do see them.
    expect(secrets().filter((text) => others.includes(text)).length).toBeGreaterThan(1);
  });

  type Address = readonly [path: (id: string) => string, of: keyof SampleData];
  const addresses: readonly (readonly [person: string, addresses: readonly Address[]])[] = [
    [
      CHANNEL_B,
      [
        [(id) => `/channel/transactions/${id}`, 'retirementId'],
        [(id) => `/channel/webhooks/${id}`, 'webhookEndpointId'],
        [(id) => `/channel/inventory?trader=${id}`, 'traderId'],
        [(id) => `/channel/move/trade?trader=${id}&from=oldest&volume=1`, 'traderId'],
        [(id) => `/channel/move/retire?trader=${id}&from=oldest&volume=1`, 'traderId'],
        [(id) => `/search?q=${id}`, 'traderId'],
        [(id) => `/search?q=${id}`, 'retirementId'],
        [(id) => `/search?q=${id}`, 'webhookEndpointId'],
      ],
    ],
    [
      HOLDER_B,
      [
        [(id) => `/holder/transactions/${id}`, 'waitingId'],
        [(id) => `/channel/transactions/${id}`, 'retirementId'],
      ],
    ],
  ];

  test.each(addresses)('for %s an id of others in the address is unknown', async (person, some) => {
    await stage.visitors().visit(person, {}, async (page) => {
      const readPage = async (path: string, id: string): Promise<string> =>
        (await shownAt(page, path)).replaceAll(id, 'ID').replaceAll(OF_THE_MOMENT, 'Request');
      for (const [path, of] of some) {
        const id = theirs[of];
        expect(await readPage(path(id), id)).toBe(await readPage(path(UNKNOWN), UNKNOWN));
      }
    });
  });
}

/** The beginning of every JWT and JWE: `{"`, in base64url. */
const TOKEN = /eyJ[\w-]{10,}/;
const ME = '/api/account-portal/me';

/** Everything that a script in a page can read without a request. */
const withinReach = (page: Page): Promise<string> =>
  page.evaluate<string>(`JSON.stringify([
    document.cookie, { ...localStorage }, { ...sessionStorage }, document.documentElement.outerHTML, location.href,
    history.state, document.referrer, Object.keys(window).map((name) => {
      try { return JSON.stringify(window[name]) } catch { return '' }
    }),
  ])`);

/** Limits of other sites, and of scripts injected into a page. */
export function safetyStories(stage: BrowserSystem): void {
  test('no token is readable by script: not in cookies, storage, databases, caches or answers', async () => {
    await stage.visitors().visit('anna', {}, async (page) => {
      const answers: string[] = [];
      const reading: Promise<void>[] = [];
      page.on('response', (response) => {
        if (!response.url().startsWith(stage.portalUrl('/'))) return;
        const { 'set-cookie': _kept, ...headers } = response.headers();
        answers.push(JSON.stringify(headers));
        const take = async (): Promise<void> => void answers.push(await response.text().catch(() => ''));
        reading.push(take());
      });
      for (const path of ['/', '/keys', '/channel/inventory', '/channel/transactions']) {
        await page.goto(stage.portalUrl(path));
        await page.getByRole('heading', { level: 1 }).waitFor();
        expect(await withinReach(page)).not.toMatch(TOKEN);
      }
      await page.evaluate(`fetch('/session', { headers: { 'X-Portal': '1' } }).then((answer) => answer.text())`);
      await Promise.all(reading);
      expect(answers.length).toBeGreaterThan(10);
      expect(answers.filter((text) => TOKEN.test(text))).toEqual([]);
      expect(await page.evaluate('indexedDB.databases()')).toEqual([]);
      expect(await page.evaluate('caches.keys()')).toEqual([]);
      // Including those of the identity provider: cookies are shared by all ports.
      const kept = (await page.context().cookies(stage.portalUrl('/'))).filter(({ name }) => name.startsWith('portal'));
      expect(kept.length).toBeGreaterThan(0);
      for (const cookie of kept) expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict' });
    });
  });

  test("requests that were not made by the portal's pages are rejected", async () => {
    const context = await stage.visitors().visit('anna', {}, async (page) => {
      const cookies = await page.context().cookies(stage.portalUrl('/'));
      return cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
    });
    const requestStatus = async (headers: Record<string, string>): Promise<number> =>
      (await fetch(stage.portalUrl(ME), { headers: { cookie: context, ...headers } })).status;
    const own = { 'sec-fetch-site': 'same-origin', 'x-portal': '1' };
    expect(await requestStatus(own)).toBe(200);
    expect(await requestStatus({ origin: new URL(stage.portalUrl('/')).origin, 'x-portal': '1' })).toBe(200);
    for (const site of ['cross-site', 'same-site', 'none', 'anything'])
      expect(await requestStatus({ ...own, 'sec-fetch-site': site })).toBe(403);
    expect(await requestStatus({ origin: 'https://elsewhere.example', 'x-portal': '1' })).toBe(403);
    expect(await requestStatus({ origin: 'null', 'x-portal': '1' })).toBe(403);
    expect(await requestStatus({ 'sec-fetch-site': 'same-origin' })).toBe(403);
    expect(await requestStatus({ ...own, 'x-portal': '2' })).toBe(403);
    expect(await requestStatus({})).toBe(403);
  });

  test('a page of another site reaches nothing, even with the cookies of a signed-in user', async () => {
    await stage.visitors().visit('anna', { provokes: /status of 40[34]/ }, async (page) => {
      // The other site is the identity provider: same host, another port, so that even Strict cookies are sent.
      const { issuer } = stage.system().demo;
      await page.goto(`${issuer}/.well-known/openid-configuration`);
      const reach = (options: string): Promise<string> =>
        page.evaluate<string>(
          `fetch('${stage.portalUrl(ME)}', { credentials: 'include', ${options} }).then(String, (error) => error.name)`,
        );
      expect(await reach(`headers: { 'X-Portal': '1' }`)).toBe('TypeError');
      expect(await reach(`method: 'POST', body: 'x'`)).toBe('TypeError');
      const posted = page.waitForResponse(stage.portalUrl('/sign-out'));
      await page.evaluate(`{
        const form = document.createElement('form');
        form.method = 'POST';
        form.action = '${stage.portalUrl('/sign-out')}';
        document.body.append(form);
        form.submit();
      }`);
      expect((await posted).status()).toBe(403);
      await page.waitForURL(stage.portalUrl('/sign-out'));
      await page.goto(stage.portalUrl('/me'));
      await page.getByRole('heading', { name: 'You', level: 1 }).waitFor();
    });
  });

  test('a form of another site costs the portal linear time', async () => {
    await stage.visitors().visit(undefined, { provokes: /status of 4\d\d/ }, async (page) => {
      const post = async (lineEnds: number): Promise<{ status: number; cpuMicroseconds: number }> => {
        await page.goto(`${stage.system().demo.issuer}/.well-known/openid-configuration`);
        const before = process.cpuUsage();
        const answered = page.waitForResponse(stage.portalUrl('/verify'));
        await page.evaluate(`{
          const form = document.createElement('form');
          form.method = 'POST';
          form.action = '${stage.portalUrl('/verify')}';
          const pasted = document.createElement('textarea');
          pasted.name = 'statement';
          pasted.value = '\\n'.repeat(${lineEnds}) + 'x';
          form.append(pasted);
          document.body.append(form);
          form.submit();
        }`);
        const [answer, others] = await Promise.all([answered, fetch(stage.portalUrl('/register'))]);
        expect(others.status).toBe(200);
        await page.waitForURL(stage.portalUrl('/verify'));
        const { user, system } = process.cpuUsage(before);
        return { status: answer.status(), cpuMicroseconds: user + system };
      };
      await post(1);
      const [small, large] = [await post(10_000), await post(160_000)];
      expect([small.status, large.status]).toEqual([200, 200]);
      // 16 is linear, 256 is quadratic.
      expect(large.cpuMicroseconds / small.cpuMicroseconds).toBeLessThan(64);
    });
  });

  test('injected scripts and images have no effect, and fail the visit', async () => {
    const attempt = stage.visitors().visit('anna', {}, async (page) => {
      await page.goto(stage.portalUrl('/me'));
      await page.getByRole('heading', { name: 'You', level: 1 }).waitFor();
      const forbidden = await page.evaluate<string[]>(`new Promise((resolve) => {
        const directives = [];
        document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) => {
          directives.push(effectiveDirective);
          if (directives.length === 3) resolve(directives.toSorted());
        });
        try { document.createElement('div').innerHTML = '<img src=x onerror="window.broken = true">' } catch {}
        const image = document.createElement('img');
        image.src = '${stage.system().demo.issuer}/image.png';
        const script = document.createElement('script');
        try { script.text = 'window.broken = true' } catch {}
        document.body.append(image, script);
      })`);
      expect(forbidden).toEqual(['img-src', 'require-trusted-types-for', 'require-trusted-types-for']);
      expect(await page.evaluate('window.broken')).toBeUndefined();
    });
    await expect(attempt).rejects.toThrow('breaks the content policy');
  });

  test('a viewer is offered no changes, and cannot make any', async () => {
    await stage.visitors().visit('bo', {}, async (page) => {
      await page.goto(stage.portalUrl('/channel/traders'));
      await page.getByRole('heading', { name: 'Traders', level: 1 }).waitFor();
      expect(await page.getByRole('button', { name: /create|add/i }).count()).toBe(0);
      const path = '/api/saleschannel-services/v1/traders';
      const status = await page.evaluate<number>(`fetch('${path}', {
        method: 'POST',
        headers: { 'X-Portal': '1', 'Content-Type': 'application/json', 'Idempotency-Key': crypto.randomUUID() },
        body: JSON.stringify({ name: 'Mine', businessId: 'NO-1', address: {} }),
      }).then(({ status }) => status)`);
      expect(status).toBe(403);
    });
  });

  test('an unknown address is answered with a page and 404', async () => {
    const name = operator(stage.system().channels[1]).userId;
    await stage.visitors().visit('anna', {}, async (page) => {
      const missing = await page.request.get(stage.portalUrl(`/nothing/${name}`), { headers: { accept: 'text/html' } });
      expect(missing.status()).toBe(404);
    });
  });
}
