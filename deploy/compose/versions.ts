// deploy/compose/versions.env: versions of the programs' images, for deploy/compose/use-release.sh.
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { imageNames, type ImageName } from '@saleschannel/installation';
import { GENERATED } from '../manifest-text.ts';

const root = resolve(import.meta.dirname, '../..');

/** Registry of images built on this machine. The name cannot belong to a real registry. */
export const LOCAL_REGISTRY = 'localhost/saleschannel';

/** Setting with the tag of a program's image, optionally with a digest. */
export const versionVariable = (program: ImageName): string => `${program.toUpperCase().replaceAll('-', '_')}_VERSION`;

function versionOf(program: ImageName): string {
  const manifest = readFileSync(join(root, 'apps', program, 'package.json'), 'utf8');
  return (JSON.parse(manifest) as { version: string }).version;
}

/** Contents of deploy/compose/versions.env. */
export const versionsFile = (): string =>
  [`# ${GENERATED}`, ...imageNames.map((name) => `${versionVariable(name)}=${versionOf(name)}`), ''].join('\n');
