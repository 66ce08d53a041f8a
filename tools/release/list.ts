// npm run -s release -- list [--published <file>]
//
// Lists the units to build as JSON: name, version, tag and kind of each unit with a tag <name>@<version> at this
// commit. With --published, a file of tags, lists every release in the history of this commit that is not among them,
// so that a run finishes the work of a failed one.
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { listTags, listTagsOfHead } from './git.ts';
import { umbrella, units } from './units.ts';

const { values } = parseArgs({ options: { published: { type: 'string' } } });
const published = values.published === undefined ? [] : readFileSync(values.published, 'utf8').split('\n');
const tags = values.published === undefined ? listTagsOfHead() : listTags().filter((tag) => !published.includes(tag));
const releases = [...units, umbrella].flatMap(({ name, kind, folder }) =>
  tags
    .filter((tag) => tag.startsWith(`${name}@`))
    .map((tag) => ({ name, version: tag.slice(name.length + 1), tag, kind, folder })),
);
console.log(JSON.stringify(releases));
