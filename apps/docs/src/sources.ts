import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

export const root = join(import.meta.dirname, '../../..');

/** A page of the site, as Markdown. */
export interface Page {
  /** Where it is, below `/docs/`. Empty for the first page. */
  readonly slug: string;
  readonly title: string;
  /** The file that it is made of, from the root of the repository. */
  readonly source: string;
  readonly markdown: string;
}

/** Every document that people read, wherever it stands. */
const SOURCES = ['docs/**/*.md', 'CHANGELOG.md', 'CONTRIBUTING.md', '{apps,libs,clients,lab,deploy}/{*/,}README.md'];
/** It is long, and each of its sections is a page of its own. */
const GUIDE = 'docs/integrate/api.md';

/** As GitHub and the site make anchors of headings. */
export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

/**
 * The address of a document, which stays when its file moves: `docs/decisions/0004-event-log-clock.md` →
 * `decisions/0004-event-log-clock`, `docs/operate/scale.md` → `operations/scale`. Documents outside of `docs/` are
 * `inside/…`.
 */
function slugOf(source: string): string {
  const path = source.replace(/\.md$/, '').replace(/(^|\/)README$/, '');
  if (path === 'docs') return '';
  // The contract itself is at /docs/api.
  if (path.startsWith('docs/'))
    return path
      .slice('docs/'.length)
      .replace(/^operate\/(?=(performance|scaling|security)$)/, '')
      .replace(/^operate\b/, 'operations')
      .replace(/^(integrate|contribute)\//, '')
      .replace(/^api$/, 'guide');
  return path === 'CHANGELOG' ? 'changelog' : `inside/${path.toLowerCase()}`;
}

/** The first heading is the title, and the rest the page. */
function pageOf(source: string, text: string): Page {
  const [, title = basename(source)] = /^# (.+)$/m.exec(text) ?? [];
  return { slug: slugOf(source), title: title.replaceAll('`', ''), source, markdown: text.replace(/^# .+\n/m, '') };
}

/** The headings of a page, by their anchors. */
function* anchorsIn(markdown: string): Generator<string> {
  let isCode = false;
  for (const line of markdown.split('\n')) {
    if (line.trimStart().startsWith('```')) isCode = !isCode;
    const [, heading] = /^#+ (.+)$/.exec(line) ?? [];
    if (!isCode && heading) yield anchorOf(heading);
  }
}

/** The pages of the API guide: one for each of its sections. */
function sectionsOf(guide: Page): Page[] {
  const [introduction = '', ...sections] = guide.markdown.split(/^(?=## )/m);
  const pages = sections.map((section): Page => {
    const [, heading = ''] = /^## (.+)$/m.exec(section) ?? [];
    return {
      slug: `${guide.slug}/${anchorOf(heading)}`,
      title: heading,
      source: guide.source,
      // Its headings are one level higher, for the section is a page.
      markdown: section.replace(/^## .+\n/, '').replaceAll(/^##(#+ )/gm, '#$1'),
    };
  });
  const list = pages.map(({ slug, title }) => `- [${title}](/docs/${slug}/)`).join('\n');
  return [{ ...guide, markdown: `${introduction}\n${list}\n` }, ...pages];
}

export class Site {
  readonly pages: readonly Page[];
  /** Files that pages show or offer, from the root of the repository. They are copied as they are. */
  readonly files = new Set<string>();
  /** Source with an anchor, or without one → address. */
  readonly #addresses = new Map<string, string>();

  constructor(made: readonly Page[] = []) {
    const sources = globSync(SOURCES, { cwd: root, exclude: (path) => path.includes('node_modules') }).toSorted();
    const pages = sources
      .map((source) => pageOf(source, readFileSync(join(root, source), 'utf8')))
      .flatMap((page) => (page.source === GUIDE ? sectionsOf(page) : [page]));
    for (const { source, slug, title, markdown } of pages) {
      const address = `/docs/${slug === '' ? '' : `${slug}/`}`;
      if (!this.#addresses.has(source)) this.#addresses.set(source, address);
      else this.#addresses.set(`${source}#${anchorOf(title)}`, address);
      for (const anchor of anchorsIn(markdown)) this.#addresses.set(`${source}#${anchor}`, `${address}#${anchor}`);
    }
    this.pages = [...pages, ...made].map((page) => ({ ...page, markdown: this.#linked(page) }));
  }

  /** Links between documents lead to their pages, and what is no page is copied or written out. */
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

/** Addresses of documents that moved or became part of another one → the address of today. Both below `/docs/`. */
export const redirects: Readonly<Record<string, string>> = {
  'decisions/0015-ledger-sequence': 'decisions/0014-tasks-end-through-the-ledger',
  'decisions/0017-tokens-for-one-receiver': 'decisions/0003-principal-tokens',
  'decisions/0024-sessions-by-trails': 'decisions/0018-suspension-and-standing-asked',
  'decisions/0028-issuances-set-based': 'decisions/0002-plan-in-typescript-write-set-based',
  'decisions/0042-public-pages': 'decisions/0041-statements',
  'decisions/0049-compatibility': 'decisions/0048-ownership-and-releases',
  'decisions/0062-recent-sign-in': 'decisions/0060-session-records',
  'inside/apps/bench': 'inside/lab/bench',
  'inside/apps/chaos': 'inside/lab/chaos',
  'inside/apps/cli': 'inside/clients/cli',
  'inside/apps/drill': 'inside/lab/drill',
  'inside/apps/e2e': 'inside/lab/e2e',
  'inside/apps/replay': 'inside/clients/replay',
  'inside/libs/sdk': 'inside/clients/sdk',
};
