// First stage of the image: removes all files of workspaces except package.json, and devDependencies from these. npm
// installs devDependencies of workspaces even with --omit=dev, among them the databases of the tests.
import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';

for (const path of globSync('{apps,libs,clients,lab}/*/*'))
  if (basename(path) !== 'package.json') rmSync(path, { recursive: true });

for (const path of globSync('{apps,libs,clients,lab,deploy,tools}/*/package.json')) {
  const { devDependencies: _, ...manifest } = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;
  writeFileSync(path, `${JSON.stringify(manifest, null, 2)}\n`);
}
