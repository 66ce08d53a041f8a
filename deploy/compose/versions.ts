// deploy/compose/versions.env: the version of each program's image, as deploy/compose/use-release.sh reads it.
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { imageNames, type ImageName } from '@saleschannel/installation';
import { GENERATED } from '../manifest-text.ts';

const root = resolve(import.meta.dirname, '../..');

/** Where images are that were built on this machine. No registry has this name, so nobody else can answer for it. */
export const LOCAL_REGISTRY = 'localhost/saleschannel';

/** The setting with the tag of a program's image, which may have a digest behind it. */
export const versionVariable = (program: ImageName): string => `${program.toUpperCase().replaceAll('-', '_')}_VERSION`;

function versionOf(program: ImageName): string {
  const manifest = readFileSync(join(root, 'apps', program, 'package.json'), 'utf8');
  return (JSON.parse(manifest) as { version: string }).version;
}

/** The whole text of deploy/compose/versions.env. */
export const versionsFile = (): string =>
  [`# ${GENERATED}`, ...imageNames.map((name) => `${versionVariable(name)}=${versionOf(name)}`), ''].join('\n');
