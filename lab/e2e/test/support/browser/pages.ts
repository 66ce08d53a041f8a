import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '@saleschannel/local';
import { eventually } from '@saleschannel/testing';
import type { Page } from 'playwright-core';
import { inParallel, operator } from '../api.ts';
import { ensureSampleData, HOLDER, QUEUE, type SampleData } from './sample-data.ts';
import type { BrowserSystem, Visitors } from './in-browser.ts';

/** An address, and the person who opens it. */
export interface PageVisit {
  readonly name: string;
  readonly site: 'portal' | 'console' | 'public';
  readonly url: string;
  readonly visitors: Visitors;
  readonly person: string | undefined;
}

type Person = PageVisit['person'];

/** All pages in an application's build. Tests may not import pages. */
const knownPaths = (application: 'portal' | 'console'): string[] =>
  JSON.parse(readFileSync(join(projectRoot, `apps/web/dist/${application}/paths.json`), 'utf8')) as string[];

/** Example addresses for paths with parameters. Other paths are opened unchanged. */
function buildExamples(data: SampleData): Readonly<Record<string, string>> {
  const { traderId, retirementId, waitingId, webhookEndpointId, webhookDeliveryId } = data;
  const source = `trader=${traderId}&from=oldest&volume=250`;
  const webhook = `/channel/webhooks/${webhookEndpointId}`;
  return {
    '/channel/inventory': `/channel/inventory?trader=${traderId}`,
    '/channel/transactions/:id': `/channel/transactions/${retirementId}`,
    '/channel/move/trade': `/channel/move/trade?${source}`,
    '/channel/move/retire': `/channel/move/retire?${source}`,
    '/channel/move/offramp': `/channel/move/offramp?${source}`,
    '/channel/webhooks/:id': webhook,
    '/channel/webhooks/:id/deliveries/:delivery': `${webhook}/deliveries/${webhookDeliveryId}`,
    '/holder/transactions/:id': `/holder/transactions/${waitingId}`,
    '/search': `/search?q=${traderId}`,
  };
}

const buildConsoleExamples = ({ importId, accountHolderId }: SampleData, userId: string): Record<string, string> => ({
  '/imports/:id': `/imports/${importId}`,
  '/dead-letters/:queue': `/dead-letters/${QUEUE}`,
  '/holders/:id': `/holders/${accountHolderId}`,
  '/users/:id': `/users/${userId}`,
  '/search': `/search?q=${accountHolderId}`,
});

const publicPaths = ({
  statementId,
  hiddenStatementId,
  certificate,
}: SampleData): Readonly<Record<string, string>> => ({
  'a statement': `/r/${statementId}`,
  'a statement under embargo': `/r/${hiddenStatementId}`,
  'no statement': '/r/nothing',
  'the register': '/register',
  'the register without retirements': '/register?from=2001-01-01&to=2001-01-31',
  'the statement check': '/verify',
  'the check of a certificate': `/verify?id=${certificate}`,
  'the check of an invalid certificate': '/verify?id=%3F',
});

const personAt = (path: string): string => {
  if (path.startsWith('/channel') || path === '/search') return 'anna';
  return path.startsWith('/holder') ? HOLDER : 'holder';
};

/** Pages for users without access, and for unknown objects. */
const refusals: readonly (readonly ['portal' | 'console', string, path: string, Person])[] = [
  ['portal', 'not signed in', '/keys', undefined],
  ['portal', 'without the role', '/channel/people', 'bo'],
  ['portal', 'unknown id', '/channel/transactions/nothing', 'anna'],
  ['portal', 'unknown webhook id', '/channel/webhooks/nothing', 'anna'],
  ['console', 'not signed in', '/imports', undefined],
  ['console', 'not an operator', '/', 'anna'],
  ['console', 'unknown id', '/holders/nothing', 'olga'],
];

/** Every page of the portal, the console and the public site, with content. */
export async function listPages(stage: BrowserSystem): Promise<readonly PageVisit[]> {
  const data = await ensureSampleData(stage);
  const { userId } = operator(stage.system().channels[0]);
  const [portal, console] = [buildExamples(data), buildConsoleExamples(data, userId)];
  const at = { portal: stage.portalUrl, public: stage.portalUrl, console: stage.consoleUrl };
  const visitorsOf = { portal: stage.visitors(), public: stage.visitors(), console: stage.operators() };
  const place = (site: PageVisit['site'], name: string, path: string, person: Person): PageVisit => {
    if (path.includes(':')) throw new Error(`Add an example address for ${name}.`);
    return { name: `${site}: ${name}`, site, url: at[site](path), visitors: visitorsOf[site], person };
  };
  return [
    ...knownPaths('portal').map((path) => place('portal', path, portal[path] ?? path, personAt(path))),
    ...knownPaths('console').map((path) => place('console', path, console[path] ?? path, 'olga')),
    ...refusals.map(([site, name, path, person]) => place(site, name, path, person)),
    ...Object.entries(publicPaths(data)).map(([name, path]) => place('public', name, path, undefined)),
  ];
}

function getKind({ site, name }: PageVisit): string {
  if (name.includes('/:')) return `${site}: one of a list`;
  if (name.includes('/move/')) return `${site}: form`;
  return name.startsWith(`${site}: /`) ? `${site}: page` : `${site}: other`;
}

/** One page of each kind and site. */
export const onePerKind = (places: readonly PageVisit[]): readonly PageVisit[] =>
  [...Map.groupBy(places, getKind).values()].flatMap((some) => some.slice(0, 1));

/** Windows open at the same time. More would not be faster on two cores. */
const WINDOWS = 3;

/**
 * Opens every place, those of one person in one window, which loads scripts only once.
 * @returns findings by name of the place
 */
export async function checkPages(
  places: readonly PageVisit[],
  look: (page: Page, place: PageVisit) => Promise<readonly string[]>,
): Promise<Record<string, readonly string[]>> {
  const found: Record<string, readonly string[]> = {};
  const windows = [...Map.groupBy(places, ({ visitors }) => visitors)].flatMap(([visitors, ofSite]) =>
    [...Map.groupBy(ofSite, ({ person }) => person)].map(([person, some]) => ({ visitors, person, some })),
  );
  // Longest first, so that no long one remains alone at the end.
  const queue = windows.toSorted((one, other) => other.some.length - one.some.length);
  const open = ({ visitors, person, some }: (typeof windows)[number]) =>
    visitors.visit(person, { provokes: /\/r\/nothing/ }, async (page) => {
      for (const place of some) {
        const faults = await look(page, place);
        if (faults.length > 0) found[place.name] = faults;
      }
    });
  await inParallel(queue, open, WINDOWS);
  return found;
}

/** Waits until the page shows no element as loading. */
export async function waitUntilLoaded(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  // Placeholders for rows, in every language.
  const onItsWay = page.locator('[aria-busy=true], [role=status] > i');
  await eventually(async () => (await onItsWay.count()) === 0, `the content of ${page.url()}`);
}
