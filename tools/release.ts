// npm run release [-- --dry-run]
// npm run release -- plan patch|minor|major "<what changed>" [<unit> …]
// npm run -s release -- list [--published <file>]
// npm run release -- check [--base <commit>]
const commands: Readonly<Record<string, () => Promise<unknown>>> = {
  plan: () => import('./release/plan.ts'),
  list: () => import('./release/list.ts'),
  check: () => import('./release/check.ts'),
};

const command = commands[process.argv[2] ?? ''];
if (command) process.argv.splice(2, 1);
await (command ?? (() => import('./release/make.ts')))();
