// npm run build -w @saleschannel/web [-- --watch]
// Builds each application (a folder of src/ with an index.html) to dist/<application>, with the list of its paths,
// compressed. Fails if the first page loads too much script.
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { build, type Rolldown } from 'vite';

/** Limit of the scripts that the first page loads, gzipped. */
const MAX_FIRST_LOAD_BYTES = 200_000;
const MIN_COMPRESSED_BYTES = 1_024;

const root = import.meta.dirname;
const isWatching = process.argv.includes('--watch');

/** Chunks that the page loads at once: its entry and their static imports. */
function findFirstLoad(chunks: readonly Rolldown.OutputChunk[]): Rolldown.OutputChunk[] {
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const found = new Set(chunks.filter(({ isEntry }) => isEntry));
  for (const chunk of found) {
    for (const name of chunk.imports) {
      const next = byName.get(name);
      if (next) found.add(next);
    }
  }
  return [...found];
}

function checkBudget(application: string, output: Rolldown.RolldownOutput): void {
  const chunks = output.output.filter((each) => each.type === 'chunk');
  const bytes = findFirstLoad(chunks).reduce((sum, { code }) => sum + gzipSync(code).length, 0);
  const line = `First page of ${application}: ${bytes} bytes of script (gzip), limit ${MAX_FIRST_LOAD_BYTES}.`;
  process.stdout.write(`${line}\n`);
  if (bytes > MAX_FIRST_LOAD_BYTES) throw new Error(`${line} Load code of other pages on demand.`);
}

function compress(folder: string): void {
  for (const name of globSync('**/*.{js,css,html,json,svg}', { cwd: folder })) {
    const content = readFileSync(join(folder, name));
    if (content.length < MIN_COMPRESSED_BYTES) continue;
    const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } };
    writeFileSync(join(folder, `${name}.br`), brotliCompressSync(content, quality));
    writeFileSync(join(folder, `${name}.gz`), gzipSync(content, { level: 9 }));
  }
}

async function writePaths(source: string, folder: string): Promise<void> {
  const { pages } = (await import(join(source, 'pages.ts'))) as { pages: readonly { path: string }[] };
  writeFileSync(join(folder, 'paths.json'), JSON.stringify(pages.map(({ path }) => path)));
}

/** Whether another process has swapped in a build since, which then need not be replaced. */
const wasReplacedSince = (target: string, startedAtMs: number): boolean =>
  (statSync(join(target, 'index.html'), { throwIfNoEntry: false })?.mtimeMs ?? 0) > startedAtMs;

/** Replaces the build as a whole. Other processes may do the same concurrently. */
function swapBuild(draft: string, target: string, startedAtMs: number): void {
  const old = `${draft}.old`;
  while (!wasReplacedSince(target, startedAtMs)) {
    rmSync(old, { recursive: true, force: true });
    try {
      if (existsSync(target)) renameSync(target, old);
      renameSync(draft, target);
    } catch (error) {
      // Another process has removed the old build or added a new build.
      if (!['ENOENT', 'ENOTEMPTY'].includes(String((error as NodeJS.ErrnoException).code))) throw error;
    }
  }
  for (const leftover of [draft, old]) rmSync(leftover, { recursive: true, force: true });
}

/** Builds beside the target and swaps, so that a running portal never serves a partial build. */
async function buildApplication(source: string): Promise<void> {
  const application = basename(source);
  const target = join(root, 'dist', application);
  const draft = `${target}.new-${process.pid}`;
  const startedAtMs = Date.now();
  const options = {
    configFile: false,
    root: source,
    logLevel: 'warn',
    build: {
      outDir: isWatching ? target : draft,
      emptyOutDir: true,
      // The content policy forbids data: URLs.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      target: 'es2023',
      reportCompressedSize: false,
      // Directives of server components, which do not apply here.
      rolldownOptions: { checks: { moduleLevelDirective: false, pluginTimings: false } },
      ...(isWatching ? { watch: {} } : {}),
    },
  } as const;
  if (isWatching) {
    mkdirSync(target, { recursive: true });
    await build(options);
    await writePaths(source, target);
    return;
  }
  checkBudget(application, (await build(options)) as Rolldown.RolldownOutput);
  await writePaths(source, draft);
  compress(draft);
  swapBuild(draft, target, startedAtMs);
}

for (const page of globSync('src/*/index.html', { cwd: root })) {
  const source = dirname(join(root, page));
  if (existsSync(join(source, 'pages.ts'))) await buildApplication(source);
}
