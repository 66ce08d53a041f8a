import { beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { roles } from '@saleschannel/auth';
import { FILL_LIMIT_MS, ensureSampleData, HOLDER, type SampleData } from './sample-data.ts';
import type { BrowserSystem } from './in-browser.ts';
import { waitUntilLoaded } from './pages.ts';

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
