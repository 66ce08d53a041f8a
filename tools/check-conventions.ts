// Part of "npm run lint": checks the conventions of CONTRIBUTING.md, and of service-skeleton.md and glossary.md in
// docs/contribute, that no other tool checks.
import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..');
const LINE_CHARACTERS_AT_MOST = 120;
const services = [
  'identity',
  'rbac',
  'traders',
  'inventory',
  'tasks',
  'events',
  'registry-import',
  'webhooks',
  'sandbox',
];

interface Line {
  readonly file: string;
  readonly number: number;
  readonly text: string;
}

const filesOf = (...patterns: string[]): string[] =>
  globSync(patterns, {
    cwd: root,
    exclude: (path) => /(^|\/)(node_modules|gen|dist|\.local|\.nx)(\/|$)/.test(path),
  }).toSorted();

const read = (file: string): string => readFileSync(join(root, file), 'utf8');

const linesOf = (file: string): Line[] =>
  read(file)
    .split('\n')
    .map((text, index) => ({ file, number: index + 1, text }));

const faults: string[] = [];
const report = ({ file, number, text }: Line, fault: string): void =>
  void faults.push(`${file}:${number}: ${fault}: ${text.trim().slice(0, 100)}`);

const code = filesOf('{apps,libs,clients,lab,deploy,tools}/**/*.{ts,tsx,mjs,cjs,sh}', '*.{ts,mjs}');
const sources = code.filter((file) => /\/src\//.test(file) && !file.endsWith('.test.ts'));
/** Tests and their support. */
const tests = code.filter((file) => /\.test\.ts$|\/test\//.test(file));

/** Exempts tables and links of Markdown, and records and ids in examples of the contract. */
const isWide = ({ file, text }: Line): boolean =>
  file.endsWith('.md')
    ? /^\s*\||\]\(|^\s*<|https?:/.test(text)
    : file.endsWith('openapi.yaml') && /^\s*(\{"type":|certificates: )/.test(text);

function checkLineLength(): void {
  const written = [
    ...code,
    ...filesOf(
      '{apps,libs,clients,lab,deploy}/**/*.{sql,yaml,yml}',
      'protos/**/*.proto',
      'docker-compose.yml',
      '.ci/run',
    ),
    ...filesOf('docs/**/*.md', '{apps,libs,clients,lab,deploy}/{*/,}README.md', '*.md'),
  ];
  for (const line of written.flatMap(linesOf)) {
    if ([...line.text].length > LINE_CHARACTERS_AT_MOST && !isWide(line)) report(line, 'more than 120 characters');
  }
}

const camelCase = (name: string): string => name.charAt(0).toLowerCase() + name.slice(1);

/** Each service: RPCs grouped by noun. One file of src/rpc exports an RPC of index.ts, and each file has an RPC. */
function checkRpcFiles(): void {
  for (const service of services) {
    const folder = `apps/${service}/src/rpc`;
    const rpcs = [...read(`${folder}/index.ts`).matchAll(/^ {4}([A-Z]\w+): \{/gm)].map(([, name = '']) => name);
    const exports = filesOf(`${folder}/*.ts`).map((file): [string, string[]] => [
      file,
      [...read(file).matchAll(/^export const (\w+): Rpc</gm)].map(([, name = '']) => name),
    ]);
    for (const rpc of rpcs) {
      const files = exports.filter(([, names]) => names.includes(camelCase(rpc))).map(([file]) => file);
      if (files.length !== 1)
        faults.push(`${folder}: ${files.length} files export "${camelCase(rpc)}: Rpc<…>" ${files.join(', ')}`);
    }
    for (const [file, names] of exports)
      if (names.length === 0 && !/(\/|-)(index|messages)\.ts$/.test(file)) faults.push(`${file}: exports no RPC`);
  }
}

const MAIN = `import { runService } from '@saleschannel/runtime';
import { service } from './app.ts';

await runService(service);
`;

function checkMains(): void {
  for (const service of [...services, 'gateway', 'portal']) {
    const file = `apps/${service}/src/main.ts`;
    if (read(file) !== MAIN) faults.push(`${file}: must only run the service`);
  }
}

/** Refused patterns, with the reason. */
const bans: readonly { files: readonly string[]; pattern: RegExp; fault: string }[] = [
  { files: sources, pattern: /\?\? ''/, fault: 'use undefined or null for a missing value' },
  {
    files: sources.filter((file) => /^apps\/[^/]+\/src\/(?!store\/)/.test(file)),
    pattern: /\bsql`/,
    fault: 'move SQL to src/store',
  },
  { files: code, pattern: /contracts\/gen\//, fault: 'use Rpc, RequestOf and ReplyOf instead of generated types' },
  {
    files: sources.filter((file) =>
      /^apps\/(identity|rbac|traders|inventory|tasks|events|registry-import|webhooks)\//.test(file),
    ),
    pattern: /\bas (any|never|unknown as)\b/,
    fault: 'a cast hides type errors',
  },
  {
    files: filesOf('apps/*/src/store/migrations/*.sql'),
    pattern: /\$\{/,
    fault: 'a migration is literal',
  },
  {
    // Browser tests are skipped on machines without a browser. The runner's test contains all kinds.
    files: tests.filter((file) => !/test\/support\/browser\/in-browser\.ts$|^tools\/jest\//.test(file)),
    pattern: /\b(test|describe|it)\.(only|skip|todo)\b/,
    fault: 'every test runs',
  },
];

function checkBans(): void {
  for (const { files, pattern, fault } of bans) {
    for (const line of files.flatMap(linesOf)) if (pattern.test(line.text)) report(line, fault);
  }
}

const COMMENT = /^\s*(\/\/|\/?\*)/;

/** Tests wait for a condition. A sleep needs a comment with its reason on the line before. */
function checkSleeps(): void {
  for (const file of tests.filter((each) => each.endsWith('.test.ts'))) {
    const lines = linesOf(file);
    for (const [index, line] of lines.entries()) {
      const isSleep = /(?<!jest\.)\bsetTimeout\(|\btimers\/promises\b/.test(line.text);
      if (isSleep && !COMMENT.test(lines[index - 1]?.text ?? ''))
        report(line, 'wait for a condition instead of sleeping');
    }
  }
}

function checkTestFolders(): void {
  for (const file of tests) {
    if (!file.endsWith('.test.ts') && !/\/test\/(support|contracts)\//.test(file)) {
      faults.push(`${file}: move shared code to test/support, and contracts to test/contracts`);
    }
  }
}

/** Files whose words are checked. */
const prose = [
  ...sources,
  ...tests,
  ...filesOf('docs/**/*.md', '{apps,libs,clients,lab,deploy}/{*/,}README.md', '*.md'),
].filter((file) => !['docs/contribute/glossary.md', 'CHANGELOG.md'].includes(file));

/** Refuses whole words of the last column of the glossary. */
function checkWords(): void {
  const rows = linesOf('docs/contribute/glossary.md').flatMap(({ text }) => {
    const [, term, , not] = /^\| ([^|]+) \| ([^|]+) \| ([^|]+) \|$/.exec(text) ?? [];
    return term && not && term !== 'Term' ? [{ term, not: not.split(', ').map((word) => word.trim()) }] : [];
  });
  for (const { term, not } of rows) {
    for (const word of not.filter((each) => each !== '' && !each.startsWith('—'))) {
      const pattern = new RegExp(`(?<![\\w-])${word}(?![\\w-])`, 'i');
      for (const line of prose.flatMap(linesOf))
        if (pattern.test(line.text.replace('burn rate', ''))) report(line, `"${word}" is "${term}" here`);
    }
  }
}

/** Words that only some places may use. */
const wordsOfOnePlace = [
  {
    pattern: /\bsettl(e|es|ed|ing|ement)\b/i,
    isAllowedIn:
      /^(apps\/inventory|deploy\/observe|lab\/bench|clients\/replay\/test)\/|\/(trace|metrics)\.test\.ts$|\.md$/,
    fault: 'only the ledger settles transfers',
  },
  {
    pattern: /passphrase|apiSecret/i,
    isAllowedIn:
      /^apps\/(gateway|web)\/.*\/keys\.ts$|^lab\/(bench|chaos|e2e)\/|^(clients|deploy)\/|\/logger\.ts$|\.md$/,
    fault: 'call the secret of a key "secret"; only the public API has other names',
  },
  { pattern: /\b(he|she|his|him|himself|herself)\b/i, isAllowedIn: /^$/, fault: 'use "they" for users' },
];

function checkWordsOfOnePlace(): void {
  for (const { pattern, isAllowedIn, fault } of wordsOfOnePlace) {
    for (const line of prose.filter((file) => !isAllowedIn.test(file)).flatMap(linesOf)) {
      if (pattern.test(line.text)) report(line, fault);
    }
  }
}

/** Each fault code is a literal in some source or a keyword of the contract. */
function checkFaultCodes(): void {
  const table = 'libs/errors/src/fault-codes.ts';
  const reporting = sources.filter((file) => file !== table && !file.startsWith('apps/web/')).map(read);
  const contract = read('apps/gateway/openapi/openapi.yaml');
  for (const line of linesOf(table)) {
    const [, quoted, plain] = /^ {2}(?:'([\w-]+)'|(\w+)): \{/.exec(line.text) ?? [];
    const code = quoted ?? plain;
    if (code === undefined || reporting.some((text) => text.includes(`'${code}'`))) continue;
    if (!new RegExp(`(?<![\\w-])${code}: `).test(contract)) report(line, 'no source reports this code');
  }
}

/** Versions are in the root package.json, and each is used. */
function checkVersions(): void {
  interface Package {
    dependencies?: Record<string, string>;
    devDependencies?: Record<string, string>;
  }
  const parse = (file: string): Package => JSON.parse(read(file)) as Package;
  const declared = (file: string): [string, string][] =>
    Object.entries({ ...parse(file).dependencies, ...parse(file).devDependencies });
  const workspaces = filesOf('{apps,libs,clients,lab,deploy}/*/package.json');
  for (const file of workspaces) {
    for (const [name, version] of declared(file)) if (version !== '*') faults.push(`${file}: ${name} must be "*"`);
  }
  const used = new Set(workspaces.flatMap((file) => declared(file).map(([name]) => name)));
  for (const [name] of Object.entries(parse('package.json').dependencies ?? {})) {
    if (!used.has(name)) faults.push(`package.json: no workspace depends on ${name}`);
  }
}

/** Actions are pinned by commit: a tag can move to code that would run with the workflow's rights. */
function checkActions(): void {
  for (const line of filesOf('.github/workflows/*.yml').flatMap(linesOf)) {
    const [, action] = /^\s*(?:- )?uses: (.*)$/.exec(line.text) ?? [];
    if (action === undefined || action.startsWith('./')) continue;
    if (!/^[\w.-]+(\/[\w.-]+)+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(action)) {
      report(line, 'pin the action by commit, with its release in a comment');
    }
  }
}

checkLineLength();
checkActions();
checkRpcFiles();
checkMains();
checkBans();
checkSleeps();
checkTestFolders();
checkWords();
checkWordsOfOnePlace();
checkFaultCodes();
checkVersions();
for (const fault of faults) console.error(fault);
console.log(`${code.length} files checked, ${faults.length} faults`);
process.exitCode = faults.length > 0 ? 1 : 0;
