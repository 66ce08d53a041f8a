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
  { label: 'Begin', slugs: ['quickstarts/', 'sandbox'] },
  { label: 'The API', slugs: ['guide', 'guide/', 'operations-of-the-api', 'errors', 'webhooks', 'statements'] },
  { label: 'Clients', slugs: ['inside/clients/sdk', 'inside/clients/cli', 'generated-clients', 'collection'] },
  { label: 'People', slugs: ['portal', 'portal/'], collapsed: true },
  { label: 'Teams inside', slugs: ['asyncapi', 'examples/', 'protos', 'protos/'], collapsed: true },
  { label: 'Running it', slugs: ['operations', 'operations/', 'security', 'performance', 'scaling', 'changelog'] },
  { label: 'The code', slugs: ['ownership', 'releases', 'service-skeleton', 'glossary', 'inside/'], collapsed: true },
  { label: 'Decisions', slugs: ['decisions', 'decisions/'], collapsed: true },
];

/**
 * Lists every page once. Pages in no group come last.
 * @throws Error for an unknown slug
 */
export function sidebarOf(pages: readonly Page[]): object[] {
  const left = new Set(pages.map(({ slug }) => slug).filter(Boolean));
  const titles = new Map(pages.map(({ slug, title }) => [slug, title]));
  const named = new Set(groups.flatMap(({ slugs }) => slugs));
  const take = (wanted: string): string[] => {
    // A page listed by name stays there, even if an earlier folder contains it.
    const taken = [...left].filter((slug) =>
      wanted.endsWith('/') ? slug.startsWith(wanted) && !named.has(slug) : slug === wanted,
    );
    if (taken.length === 0) throw new Error(`the sidebar names ${wanted}, which is no page`);
    for (const slug of taken) left.delete(slug);
    return taken;
  };
  const entryOf = (slug: string): object => ({ label: titles.get(slug) ?? slug, slug });
  const made = groups.map(({ label, slugs, collapsed = false }) => ({
    label,
    collapsed,
    items: slugs.flatMap(take).map(entryOf),
  }));
  const rest = [...left].map(entryOf);
  return [
    { label: 'Contract', items: [{ label: 'All operations, to try', link: CONTRACT }] },
    ...made,
    ...(rest.length > 0 ? [{ label: 'More', items: rest }] : []),
  ];
}
