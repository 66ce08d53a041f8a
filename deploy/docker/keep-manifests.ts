// In the image's first stage: leaves of every workspace its package.json alone, without devDependencies. npm counts those of workspaces
// as needed even with --omit=dev, and would install the databases of the tests.
import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';

const below = (pattern: string): string[] => globSync(`{apps,libs}/*/${pattern}`);

for (const path of below('*')) if (basename(path) !== 'package.json') rmSync(path, { recursive: true });
for (const path of below('package.json')) {
  const { devDependencies: _, ...manifest } = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;
  writeFileSync(path, `${JSON.stringify(manifest, null, 2)}\n`);
}
