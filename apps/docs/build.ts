// node apps/docs/build.ts
//
// Builds the documentation to dist: all documents of the repository, the contracts and the protos, with a search that
// needs nothing from elsewhere. The documents stay where they are, and readable there.
import starlight from '@astrojs/starlight';
import { build } from 'astro';
import { passthroughImageService } from 'astro/config';
import { cpSync, mkdirSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { asyncApiPage } from './src/asyncapi-page.ts';
import { COLLECTION, collection, collectionPage } from './src/collection.ts';
import { operationsPage } from './src/operations-page.ts';
import { compressTexts, makeScriptsExternal } from './src/post-process.ts';
import { sidebarOf } from './src/sidebar.ts';
import { redirects, root, Site, type Page } from './src/sources.ts';

/** Where the gateway serves it. */
const BASE = '/docs';
const OLD_LINKS = `if (location.hash.startsWith('#/')) location.replace('${BASE}/api' + location.hash);`;
/** Contracts for download, with the addresses that they have below `/docs/files/`. */
const CONTRACTS: readonly (readonly [file: string, address: string])[] = [
  ['docs/integrate/asyncapi.yaml', 'docs/asyncapi.yaml'],
  ['apps/gateway/openapi/openapi.yaml', 'apps/gateway/openapi/openapi.yaml'],
];

process.env['ASTRO_TELEMETRY_DISABLED'] = '1';
const folder = import.meta.dirname;
const work = join(folder, `.generated-${process.pid}`);
const draft = join(work, 'dist');
const startedAt = new Date();

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

const frontMatterOf = ({ slug, title, source }: Page): string =>
  `---\ntitle: ${JSON.stringify(title)}\neditUrl: false\nslug: ${JSON.stringify(slug === '' ? 'index' : slug)}\n` +
  `# Made of ${source}\n---\n`;

function writeSources(site: Site): void {
  for (const page of site.pages) {
    const name = page.slug === '' ? 'index' : page.slug;
    write(join(work, 'src/content/docs', `${name}.md`), frontMatterOf(page) + page.markdown);
  }
  cpSync(join(folder, 'src/content.config.ts'), join(work, 'src/content.config.ts'));
  cpSync(join(folder, 'public'), join(work, 'public'), { recursive: true });
  for (const [file, address] of [...CONTRACTS, ...[...site.files].map((each) => [each, each] as const)])
    cpSync(join(root, file), join(work, 'public/files', address), { recursive: true });
}

/** What was there until now is served until the new one is whole. */
function putInPlace(): void {
  const target = join(folder, 'dist');
  const old = join(work, 'old');
  rmSync(old, { recursive: true, force: true });
  try {
    renameSync(target, old);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  renameSync(draft, target);
}

try {
  const site = new Site([operationsPage(), asyncApiPage(), collectionPage]);
  writeSources(site);
  write(join(work, 'public', COLLECTION), await collection());
  await build({
    configFile: false,
    root: work,
    srcDir: join(work, 'src'),
    publicDir: join(work, 'public'),
    outDir: draft,
    cacheDir: join(work, 'cache'),
    base: BASE,
    redirects: Object.fromEntries(Object.entries(redirects).map(([from, to]) => [`/${from}`, `${BASE}/${to}/`])),
    logLevel: 'warn',
    image: { service: passthroughImageService() },
    integrations: [
      starlight({
        title: 'Sales Channel Service',
        sidebar: sidebarOf(site.pages) as never,
        // Links to the contract of before the documentation: /docs#/events/listEvents.
        head: [{ tag: 'script', content: OLD_LINKS }],
        credits: false,
        pagination: false,
        lastUpdated: false,
        disable404Route: false,
      }),
    ],
    vite: { build: { assetsInlineLimit: 0 } },
  });
  makeScriptsExternal(draft, BASE);
  compressTexts(draft);
  // What was changed during the build is newer than the site, and makes the next `npm start` build it again.
  utimesSync(join(draft, 'index.html'), startedAt, startedAt);
  putInPlace();
} finally {
  rmSync(work, { recursive: true, force: true });
}
