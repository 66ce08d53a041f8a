import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '@saleschannel/local';
import { eventually } from '@saleschannel/testing';
import type { Page } from 'playwright-core';
import type { System } from '../../../src/system.ts';
import { operator, seller, v1, type Transaction } from '../world.ts';

/** Every page that the build knows. Tests of the suite may not import pages. */
export const knownPaths = (): string[] =>
  JSON.parse(readFileSync(join(projectRoot, 'apps/web/dist/portal/paths.json'), 'utf8')) as string[];

/** Addresses of pages whose paths leave something open. A path that is not here is opened as it is. */
export async function examplesOf(system: System): Promise<Readonly<Record<string, string>>> {
  const [channel] = system.channels;
  const client = system.as(operator(channel));
  const [transaction] = await client.ok<Transaction[]>('GET', `${v1}/transactions`, { query: { $limit: '1' } });
  const [held] = await client.ok<{ transactionId: string }[]>('GET', '/account-portal/transactions', {
    query: { $limit: '1' },
  });
  const trader = seller(channel).id;
  const source = `trader=${trader}&from=oldest&volume=250`;
  return {
    '/channel/inventory': `/channel/inventory?trader=${trader}`,
    '/channel/transactions/:id': `/channel/transactions/${transaction?.id}`,
    '/channel/move/trade': `/channel/move/trade?${source}`,
    '/channel/move/retire': `/channel/move/retire?${source}`,
    '/channel/move/offramp': `/channel/move/offramp?${source}`,
    '/holder/transactions/:id': `/holder/transactions/${held?.transactionId}`,
    '/search': `/search?q=${trader}`,
  };
}

/** Who has something to see at an address. */
export const personOf = (path: string): string =>
  path.startsWith('/channel') || path === '/search' ? 'anna' : 'holder';

/** Everything has come: what is on its way says so. */
export async function arrived(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  const onItsWay = page.locator('[aria-busy=true]').or(page.getByRole('status').getByText('Loading', { exact: true }));
  await eventually(async () => (await onItsWay.count()) === 0, `the content of ${page.url()}`);
}
