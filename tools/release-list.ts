// npm run -s release:list
//
// The programs that this commit releases, as JSON: those with a tag <name>@<version> here. Their images are built.
import { tagsHere } from './release/git.ts';
import { tagOf, units } from './release/units.ts';

const tags = tagsHere();
const programs = units.filter((unit) => unit.kind === 'program' && tags.includes(tagOf(unit)));
console.log(JSON.stringify(programs.map(({ name }) => name)));
