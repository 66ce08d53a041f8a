// What an image has from others, by what npm has installed:
//   node deploy/docker/bill.ts collect <file> [--of name,name…] [--alone]
//   node deploy/docker/bill.ts write <folder> <image> <version> <file>…
// "collect" writes a list of packages: all that are installed here, or those that are named, with what they need in
// turn unless they stand alone. It fails where one has a licence that licences.json does not allow. "write" makes two
// files of such lists: sbom.cdx.json (CycloneDX) and THIRD-PARTY.txt with the texts of the licences. `npm sbom` is no
// way to it: it takes the tree of one workspace for broken, and by the lock file alone it leaves out packages that
// another one has as peers, pg and zod among them.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

interface Locked {
  readonly version?: string;
  readonly link?: boolean;
  /** Of a link: the folder of the workspace. */
  readonly resolved?: string;
  readonly integrity?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

interface Package {
  readonly name: string;
  readonly version: string;
  readonly licence: string;
  readonly integrity: string;
  readonly text: string;
}

const read = <T>(file: string): T => JSON.parse(readFileSync(file, 'utf8')) as T;

const { allowed, asWritten } = read<{ allowed: string[]; asWritten: Record<string, string> }>(
  join(import.meta.dirname, 'licences.json'),
);

/** Whether an SPDX expression can be met with licences that are allowed. */
function isAllowed(expression: string): boolean {
  const plain = expression.replace(/^\((.*)\)$/, '$1');
  if (plain.includes('(')) return false;
  return plain.split(' OR ').some((choice) => choice.split(' AND ').every((each) => allowed.includes(each.trim())));
}

/** Where npm has put what a package asks for: in its own folder, or in one of those above. */
function placeOf(name: string, from: string, all: Readonly<Record<string, Locked>>): string | undefined {
  const own = `${from === '' ? '' : `${from}/`}node_modules/${name}`;
  if (own in all) return own;
  if (from === '') return undefined;
  const above = from.includes('node_modules/') ? from.replace(/\/?node_modules\/(@[^/]+\/)?[^/]+$/, '') : '';
  return placeOf(name, above, all);
}

function placesOf(names: readonly string[], all: Readonly<Record<string, Locked>>, isAlone: boolean): Set<string> {
  const places = new Set<string>();
  const waiting = names.map((name): [string, string] => [name, '']);
  for (const [name, from] of waiting) {
    const place = placeOf(name, from, all);
    if (place === undefined || places.has(place)) continue;
    places.add(place);
    const { link, resolved = '' } = all[place] ?? {};
    const folder = link ? resolved : place;
    const { dependencies, optionalDependencies, peerDependencies } = all[folder] ?? {};
    if (!isAlone)
      for (const next of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies }))
        waiting.push([next, folder]);
  }
  return places;
}

const LICENCE_FILE = /^(licen[cs]e|copying|notice)/i;

function packageAt(place: string, { version = '', integrity = '' }: Locked): Package {
  const name = place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length);
  const manifest = read<{ license?: string | { type: string }; licenses?: { type: string }[] }>(
    join(place, 'package.json'),
  );
  const { license = manifest.licenses?.map(({ type }) => type).join(' OR ') ?? '' } = manifest;
  const said = typeof license === 'string' ? license : license.type;
  const texts = readdirSync(place, { withFileTypes: true })
    .filter((entry) => entry.isFile() && LICENCE_FILE.test(entry.name))
    .map((entry) => entry.name)
    .toSorted()
    .map((file) => readFileSync(join(place, file), 'utf8').replaceAll('\r\n', '\n').trim());
  return {
    name,
    version,
    integrity,
    licence: asWritten[`${name}@${version}`] ?? said,
    text: texts.join('\n\n'),
  };
}

function collect(file: string, names: readonly string[] | undefined, isAlone: boolean): void {
  const { packages: all } = read<{ packages: Record<string, Locked> }>('node_modules/.package-lock.json');
  const places = names ? placesOf(names, all, isAlone) : new Set(Object.keys(all));
  const packages = [...places]
    .filter(
      (place) => /(^|\/)node_modules\//.test(place) && !all[place]?.link && !place.includes('node_modules/@types/'),
    )
    .filter((place) => existsSync(join(place, 'package.json')))
    .map((place) => packageAt(place, all[place] ?? {}));
  const refused = packages.filter(({ licence }) => !isAllowed(licence));
  if (refused.length > 0) {
    const lines = refused.map(({ name, version, licence }) => `${name}@${version}: ${licence || 'says nothing'}`);
    throw new Error(`licences.json does not allow the licences of\n${lines.join('\n')}`);
  }
  writeFileSync(file, JSON.stringify(packages));
}

const purlOf = ({ name, version }: Package): string => `pkg:npm/${name.replace(/^@/, '%40')}@${version}`;

function componentOf(each: Package): object {
  const [, algorithm, digest] = /^(sha512)-(.+)$/.exec(each.integrity) ?? [];
  return {
    type: 'library',
    'bom-ref': purlOf(each),
    name: each.name,
    version: each.version,
    licenses: /[ (]/.test(each.licence) ? [{ expression: each.licence }] : [{ license: { id: each.licence } }],
    purl: purlOf(each),
    ...(algorithm && digest
      ? { hashes: [{ alg: 'SHA-512', content: Buffer.from(digest, 'base64').toString('hex') }] }
      : {}),
  };
}

function write(folder: string, image: string, version: string, files: readonly string[]): void {
  const known = new Map(files.flatMap((file) => read<Package[]>(file).map((each) => [purlOf(each), each])));
  const packages = [...known.keys()].toSorted().flatMap((purl) => known.get(purl) ?? []);
  mkdirSync(folder, { recursive: true });
  // Neither a number of its own nor a time: the same sources have the same list.
  const bill = {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: { type: 'container', 'bom-ref': image, name: image, version } },
    components: packages.map(componentOf),
  };
  writeFileSync(join(folder, 'sbom.cdx.json'), `${JSON.stringify(bill, null, 1)}\n`);
  const texts = packages.map(({ name, version: at, licence, text }) =>
    [`${name} ${at} (${licence})`, '='.repeat(72), text || 'It comes without a text of its licence.', ''].join('\n'),
  );
  const head = `What the image ${image} has from others: in node_modules, in its pages and in its documents.\n`;
  writeFileSync(join(folder, 'THIRD-PARTY.txt'), [head, ...texts].join('\n'));
}

const { positionals, values: options } = parseArgs({
  allowPositionals: true,
  options: { of: { type: 'string' }, alone: { type: 'boolean', default: false } },
});
const [command, target = '', ...rest] = positionals;
if (command === 'collect') collect(target, options.of?.split(','), options.alone);
else if (command === 'write') write(target, rest[0] ?? '', rest[1] ?? '', rest.slice(2));
else throw new Error('say collect or write');
