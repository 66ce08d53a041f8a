import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, test } from '@jest/globals';
import { createAsyncApiPage, createOperationsPage } from '../src/generated-pages.ts';
import { compressTexts, makeScriptsExternal } from '../src/post-process.ts';
import { buildSidebar } from '../src/sidebar.ts';
import { redirects, root, Site, toAnchor } from '../src/sources.ts';

const site = new Site([createOperationsPage(), createAsyncApiPage()]);
const pages = new Map(site.pages.map((page) => [`/docs/${page.slug === '' ? '' : `${page.slug}/`}`, page]));
/** Links outside code blocks. */
const findLinks = (markdown: string): string[] =>
  [...markdown.replaceAll(/```[\s\S]*?```/g, '').matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);

test('every document is a page with its own address', () => {
  expect(pages.size).toBe(site.pages.length);
  for (const slug of [
    '',
    'guide',
    'guide/idempotency',
    'guide/lists',
    'guide/limits',
    'errors',
    'asyncapi',
    'changelog',
  ])
    expect(site.pages.map((page) => page.slug)).toContain(slug);
  for (const name of readdirSync(join(root, 'docs/decisions')).filter((file) => /^\d/.test(file)))
    expect(site.pages.map((page) => page.slug)).toContain(`decisions/${name.replace(/\.md$/, '')}`);
});

test.each(site.pages.map((page) => [page.slug, page] as const))('all links of %s have a target', (_slug, page) => {
  for (const target of findLinks(page.markdown)) {
    if (/^[a-z]+:/.test(target) || target === '/openapi.yaml') continue;
    const [address = '', anchor] = target.split('#');
    // Swagger UI of the gateway, with an anchor per operation.
    if (address === '/docs/api') continue;
    if (address.startsWith('/docs/files/')) {
      expect([target, existsSync(join(root, address.slice('/docs/files/'.length)))]).toEqual([target, true]);
      continue;
    }
    const linked = pages.get(address);
    expect([page.source, target, linked !== undefined]).toEqual([page.source, target, true]);
    const headings = [...(linked?.markdown ?? 'none').matchAll(/^#+ (.+)$/gm)].map(([, text = '']) => toAnchor(text));
    if (anchor !== undefined) expect(headings).toContain(anchor);
  }
});

test('code contains no HTML entities', () => {
  for (const { source, markdown } of site.pages)
    expect([source, /`[^`\n]*&(lt|gt|amp);[^`\n]*`/.exec(markdown)?.[0]]).toEqual([source, undefined]);
});

test('texts above the minimum size get a compressed copy', () => {
  const folder = mkdtempSync(join(tmpdir(), 'saleschannel-texts-'));
  try {
    const long = 'repeated text '.repeat(100);
    writeFileSync(join(folder, 'long.html'), long);
    writeFileSync(join(folder, 'short.html'), 'short');
    writeFileSync(join(folder, 'picture.png'), long);
    compressTexts(folder);
    expect(readdirSync(folder).toSorted()).toEqual(['long.html', 'long.html.gz', 'picture.png', 'short.html']);
    expect(gunzipSync(readFileSync(join(folder, 'long.html.gz'))).toString()).toBe(long);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('a link to a section of the guide leads to its page', () => {
  const quickstart = site.pages.find(({ slug }) => slug === 'quickstarts/python');
  expect(quickstart?.markdown).toContain('[the procedure](/docs/guide/events/)');
});

const contract = JSON.parse(readFileSync(join(root, 'apps/gateway/src/contract/gen/openapi.json'), 'utf8')) as {
  paths: Record<string, Record<string, { operationId?: string; tags?: string[] }>>;
};

test('every operation has a line that links to Swagger UI', () => {
  const { markdown } = createOperationsPage();
  const operations = Object.values(contract.paths).flatMap((methods) =>
    Object.values(methods).flatMap(({ operationId, tags = [] }) => (operationId ? [[operationId, tags[0]]] : [])),
  );
  expect(operations.length).toBeGreaterThan(100);
  for (const [id, tag] of operations) expect(markdown).toContain(`| [${id}](/docs/api#/${tag}/${id}) | `);
  expect(markdown.match(/^\| \[/gm)).toHaveLength(operations.length);
  expect(markdown).toContain('| `POST /saleschannel-services/v1/webhook-endpoints` | ');
});

test('the sidebar shows clients and sandbox to integrators, and only existing pages', () => {
  interface Group {
    readonly label: string;
    readonly items: readonly { readonly slug?: string }[];
  }
  const sidebar = buildSidebar(site.pages) as Group[];
  const groupOf = (slug: string) => sidebar.find(({ items }) => items.some((item) => item.slug === slug))?.label;
  expect(['inside/clients/sdk', 'inside/clients/cli', 'sandbox', 'inside/apps/gateway'].map(groupOf)).toEqual([
    'Clients',
    'Clients',
    'Start',
    'Development',
  ]);
  expect(groupOf('generated-clients')).toBe('Clients');
  expect(() => buildSidebar(site.pages.filter(({ slug }) => slug !== 'errors'))).toThrow('errors');
});

test('the sidebar lists every page except the home page once', () => {
  interface Group {
    readonly items: readonly { readonly slug?: string }[];
  }
  const slugs = (buildSidebar(site.pages) as Group[]).flatMap(({ items }) => items.flatMap(({ slug }) => slug ?? []));
  expect(slugs.toSorted()).toEqual(
    site.pages
      .map(({ slug }) => slug)
      .filter(Boolean)
      .toSorted(),
  );
});

test('the page of integration events names senders and receivers', () => {
  const { markdown } = createAsyncApiPage();
  expect(markdown).toContain('## inventory.transaction.status-changed.v1');
  expect(markdown).toContain('Sent by inventory, received by tasks, events.');
  expect(markdown).toContain('Sent by rbac, received by gateway.');
  expect(markdown.match(/^### .+$/gm)).toEqual(['### TRADE', '### RETIREMENT', '### OFFRAMP']);
});

test('redirects lead to pages and hide no page', () => {
  const slugs = new Set(site.pages.map(({ slug }) => slug));
  for (const [from, to] of Object.entries(redirects)) {
    expect([from, slugs.has(from)]).toEqual([from, false]);
    expect([to, slugs.has(to)]).toEqual([to, true]);
  }
});

test('inline scripts become files with unchanged content', () => {
  const folder = mkdtempSync(join(tmpdir(), 'saleschannel-scripts-'));
  try {
    writeFileSync(
      join(folder, 'index.html'),
      '<script>a < b;</script><script type="module">c;</script><script src="/x.js"></script><script>a < b;</script>',
    );
    makeScriptsExternal(folder, '/docs');
    const html = readFileSync(join(folder, 'index.html'), 'utf8');
    const [first, second, third, fourth, ...more] = html.split('</script>');
    expect(first).toMatch(/^<script src="\/docs\/scripts\/\w+\.js">$/);
    expect(second).toMatch(/^<script type="module" src="\/docs\/scripts\/\w+\.js">$/);
    expect([third, fourth, more]).toEqual(['<script src="/x.js">', first, ['']]);
    const contents = readdirSync(join(folder, 'scripts')).map((name) =>
      readFileSync(join(folder, 'scripts', name), 'utf8'),
    );
    expect(contents.toSorted()).toEqual(['a < b;', 'c;']);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('the security document covers every service', () => {
  const security = readFileSync(join(root, 'docs/operate/security.md'), 'utf8');
  const [, section = ''] = security.split(/^## What may call what$/m);
  const protos = readdirSync(join(root, 'protos'), { recursive: true, encoding: 'utf8' });
  const services = protos
    .filter((name) => name.endsWith('.proto'))
    .flatMap((name) => [...readFileSync(join(root, 'protos', name), 'utf8').matchAll(/^service (\w{1,99}) \{$/gm)]);
  expect(services.length).toBeGreaterThan(20);
  const [callRules = ''] = section.split(/^## /m, 1);
  expect(services.map(([, name]) => name).filter((name) => !callRules.includes(`\`${name}\``))).toEqual([]);
});
