import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

export const root = join(import.meta.dirname, '../../..');

/** A page of the site, as Markdown. */
export interface Page {
  /** Path below `/docs/`. Empty for the first page. */
  readonly slug: string;
  readonly title: string;
  /** Source file, relative to the repository. */
  readonly source: string;
  readonly markdown: string;
}

/** All documents for readers. */
const SOURCES = ['docs/**/*.md', 'CHANGELOG.md', 'CONTRIBUTING.md', '{apps,libs,clients,lab,deploy}/{*/,}README.md'];
/** The API guide is long, so each section becomes a page. */
const GUIDE = 'docs/integrate/api.md';

/** Anchor of a heading, as on GitHub and on the site. */
export const toAnchor = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

/**
 * Address of a document, stable when its file moves: `docs/decisions/0004-event-log-clock.md` →
 * `decisions/0004-event-log-clock`, `docs/operate/scale.md` → `operations/scale`. Documents outside `docs/` are
 * `inside/…`.
 */
function toSlug(source: string): string {
  const path = source.replace(/\.md$/, '').replace(/(^|\/)README$/, '');
  if (path === 'docs') return '';
  // /docs/api is the contract itself.
  if (path.startsWith('docs/'))
    return path
      .slice('docs/'.length)
      .replace(/^operate\/(?=(performance|scaling|security)$)/, '')
      .replace(/^operate\b/, 'operations')
      .replace(/^(integrate|contribute)\//, '')
      .replace(/^api$/, 'guide');
  return path === 'CHANGELOG' ? 'changelog' : `inside/${path.toLowerCase()}`;
}

/** Splits a document into its title, the first heading, and its content. */
function toPage(source: string, text: string): Page {
  const [, title = basename(source)] = /^# (.+)$/m.exec(text) ?? [];
  return { slug: toSlug(source), title: title.replaceAll('`', ''), source, markdown: text.replace(/^# .+\n/m, '') };
}

/** Anchors of all headings. */
function* anchorsIn(markdown: string): Generator<string> {
  let isCode = false;
  for (const line of markdown.split('\n')) {
    if (line.trimStart().startsWith('```')) isCode = !isCode;
    const [, heading] = /^#+ (.+)$/.exec(line) ?? [];
    if (!isCode && heading) yield toAnchor(heading);
  }
}

/** Splits the API guide into one page per section. */
function splitGuide(guide: Page): Page[] {
  const [introduction = '', ...sections] = guide.markdown.split(/^(?=## )/m);
  const pages = sections.map((section): Page => {
    const [, heading = ''] = /^## (.+)$/m.exec(section) ?? [];
    return {
      slug: `${guide.slug}/${toAnchor(heading)}`,
      title: heading,
      source: guide.source,
      // Promotes the headings, because the section is a page.
      markdown: section.replace(/^## .+\n/, '').replaceAll(/^##(#+ )/gm, '#$1'),
    };
  });
  const list = pages.map(({ slug, title }) => `- [${title}](/docs/${slug}/)`).join('\n');
  return [{ ...guide, markdown: `${introduction}\n${list}\n` }, ...pages];
}

export class Site {
  readonly pages: readonly Page[];
  /** Files that pages show or link, relative to the repository. Copied unchanged. */
  readonly files = new Set<string>();
  /** Source, with or without anchor → address. */
  readonly #addresses = new Map<string, string>();

  constructor(generated: readonly Page[] = []) {
    const sources = globSync(SOURCES, { cwd: root, exclude: (path) => path.includes('node_modules') }).toSorted();
    const pages = sources
      .map((source) => toPage(source, readFileSync(join(root, source), 'utf8')))
      .flatMap((page) => (page.source === GUIDE ? splitGuide(page) : [page]));
    for (const { source, slug, title, markdown } of pages) {
      const address = `/docs/${slug === '' ? '' : `${slug}/`}`;
      if (!this.#addresses.has(source)) this.#addresses.set(source, address);
      else this.#addresses.set(`${source}#${toAnchor(title)}`, address);
      for (const anchor of anchorsIn(markdown)) this.#addresses.set(`${source}#${anchor}`, `${address}#${anchor}`);
    }
    this.pages = [...pages, ...generated].map((page) => ({ ...page, markdown: this.#linked(page) }));
  }

  /** Rewrites links: documents to their pages, other files to copies, and the rest to plain text. */
  #linked({ source, markdown }: Page): string {
    return markdown.replaceAll(
      /(!?)\[((?:[^[\]]|\[[^[\]]{0,200}\]){0,400})\]\(([^()\s]+)\)/g,
      (whole, image, text, target) => {
        if (/^([a-z]+:|\/)/.test(String(target))) return whole as string;
        const [path = '', anchor] = String(target).split('#');
        const linked = path === '' ? source : join(dirname(source), path);
        const address =
          this.#addresses.get(anchor ? `${linked}#${anchor}` : linked) ?? this.#addresses.get(`${linked}/README.md`);
        if (address !== undefined) return `[${text}](${address})`;
        if (/\.(png|svg|yaml|proto|ts|json)$/.test(linked)) {
          this.files.add(linked);
          return `${image}[${text}](/docs/files/${linked})`;
        }
        return String(text).startsWith('`') ? String(text) : `${text} (\`${linked}\`)`;
      },
    );
  }
}

/** Old addresses of moved or merged documents → current ones, both below `/docs/`. */
export const redirects: Readonly<Record<string, string>> = {
  'decisions/0015-ledger-sequence': 'decisions/0014-tasks-end-through-the-ledger',
  'decisions/0017-tokens-for-one-receiver': 'decisions/0003-principal-tokens',
  'decisions/0024-sessions-by-trails': 'decisions/0018-suspension',
  'decisions/0028-issuances-set-based': 'decisions/0002-plan-in-typescript-write-set-based',
  'decisions/0042-public-pages': 'decisions/0041-statements',
  'decisions/0049-compatibility': 'decisions/0048-ownership-and-releases',
  'decisions/0062-recent-sign-in': 'decisions/0060-session-records',
  'files/saleschannel.postman_collection.json': 'collection',
  'inside/apps/bench': 'inside/lab/bench',
  'inside/apps/chaos': 'inside/lab/chaos',
  'inside/apps/cli': 'inside/clients/cli',
  'inside/apps/drill': 'inside/lab/drill',
  'inside/apps/e2e': 'inside/lab/e2e',
  'inside/apps/replay': 'inside/clients/replay',
  'inside/deploy/engine': 'inside/lab/engine',
  'inside/libs/sdk': 'inside/clients/sdk',
};
