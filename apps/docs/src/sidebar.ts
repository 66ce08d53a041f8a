import type { Page } from './sources.ts';

/** Address at the gateway. Links of the site itself start with its base. */
const CONTRACT = '/api';

interface Group {
  readonly label: string;
  /** Slugs in order. A trailing `/` adds all remaining slugs below it. */
  readonly slugs: readonly string[];
  readonly collapsed?: true;
}

const groups: readonly Group[] = [
  { label: 'Start', slugs: ['quickstarts/', 'sandbox'] },
  { label: 'API', slugs: ['guide', 'guide/', 'operations-of-the-api', 'errors', 'webhooks', 'statements'] },
  { label: 'Clients', slugs: ['inside/clients/sdk', 'inside/clients/cli', 'generated-clients', 'collection'] },
  { label: 'People', slugs: ['portal', 'portal/'], collapsed: true },
  { label: 'Internal interfaces', slugs: ['asyncapi', 'examples/', 'protos', 'protos/'], collapsed: true },
  { label: 'Operations', slugs: ['operations', 'operations/', 'security', 'performance', 'scaling', 'changelog'] },
  {
    label: 'Development',
    slugs: ['ownership', 'releases', 'service-skeleton', 'glossary', 'inside/'],
    collapsed: true,
  },
  { label: 'Decisions', slugs: ['decisions', 'decisions/'], collapsed: true },
];

/** Lists every page once. Pages in no group come last. @throws Error for an unknown slug */
export function buildSidebar(pages: readonly Page[]): object[] {
  const remaining = new Set(pages.map(({ slug }) => slug).filter(Boolean));
  const titles = new Map(pages.map(({ slug, title }) => [slug, title]));
  const listed = new Set(groups.flatMap(({ slugs }) => slugs));
  const take = (pattern: string): string[] => {
    // A page listed by name stays there, even if an earlier folder contains it.
    const taken = [...remaining].filter((slug) =>
      pattern.endsWith('/') ? slug.startsWith(pattern) && !listed.has(slug) : slug === pattern,
    );
    if (taken.length === 0) throw new Error(`the sidebar lists ${pattern}, but there is no such page`);
    for (const slug of taken) remaining.delete(slug);
    return taken;
  };
  const toEntry = (slug: string): object => ({ label: titles.get(slug) ?? slug, slug });
  const entries = groups.map(({ label, slugs, collapsed = false }) => ({
    label,
    collapsed,
    items: slugs.flatMap(take).map(toEntry),
  }));
  const rest = [...remaining].map(toEntry);
  return [
    { label: 'Contract', items: [{ label: 'API reference', link: CONTRACT }] },
    ...entries,
    ...(rest.length > 0 ? [{ label: 'More', items: rest }] : []),
  ];
}
