import { expect, test } from '@jest/globals';
import { findCommandsInComments, checkCommand } from '../commands.ts';
import type { Document } from '../documents.ts';
import { checkSettings } from '../references.ts';
import { parseCommands } from '../shell.ts';

const known = {
  scripts: {
    'helm:secrets': 'node deploy/helm/generate-secrets.ts',
    admin: 'node apps/admin/src/main.ts',
    jest: 'jest',
  },
  services: { tasks: {}, 'tasks-2': { profiles: ['production'] }, admin: { profiles: ['admin'] } },
};
const faultsOf = (text: string): string[] =>
  parseCommands(text).flatMap(({ words }) => [...checkCommand(words, known)]);

test.each([
  ['npm run k8s:secrets', 'package.json has no script k8s:secrets'],
  ['npm run --silent helm:secrets -- --broker mq:5671 --broker-tls > x', '"helm:secrets" has no option --broker-tls'],
  ['KEY=$(npm run -s admin -- issue-api-key --for anna | json id)', '"admin issue-api-key" has no option --for'],
  ['docker compose run --rm admin dead-letters purge events.log', '"admin dead-letters" has no command purge'],
  ['docker compose up --detach taskz', 'docker-compose.yml has no service taskz'],
  ['docker compose exec -T task sh', 'docker-compose.yml has no service task'],
  ['docker compose --profile prod up', 'docker-compose.yml has no profile prod'],
  ['helm dependency build deploy/helm/services/ledger', 'deploy/helm/services/ledger does not exist'],
  ['kubectl -n saleschannel rollout restart deployment/ledger', 'there is no deployment/ledger'],
  ['kubectl logs job/migrate-gatway', 'there is no job/migrate-gatway'],
  ['cd x && deploy/compose/restore.sh undo', 'deploy/compose/restore.sh has no command undo'],
  ['deploy/compose/rolling.sh', 'deploy/compose/rolling.sh does not exist'],
  ['deploy/compose/profile.sh add prod', 'docker-compose.yml has no profile prod'],
])('%s is refused', (text, fault) => {
  expect(faultsOf(text)).toEqual([fault]);
});

test.each([
  'npm run -s helm:secrets -- --database db:5432 \\\n  --broker mq:5671 --rotate tls --step prepare > secrets.yaml',
  'docker compose run --rm --entrypoint sh tasks -c "ls /x"',
  'docker compose up --detach tasks tasks-2   # both',
  'docker compose --profile production ps --all',
  'deploy/compose/restore.sh data "2026-01-31 13:37:00+00"',
  'helm upgrade --install <name> deploy/helm/services/<name> --values values.yaml',
  'npm run jest -- apps/traders --anything',
])('%s is accepted', (text) => {
  expect(faultsOf(text)).toEqual([]);
});

test('commands are found in lists, substitutions and after quotes, not in comments or here-documents', () => {
  const text = `A=1 first "x; y" | second && third # fourth
fifth "$(sixth 'a)b' \\
  --c)" --d <<'END OF IT'
seventh
END OF IT
eighth`;
  expect(parseCommands(text).map(({ line, words }) => [line, ...words])).toEqual([
    [1, 'first', 'x; y'],
    [1, 'second'],
    [1, 'third'],
    [2, 'sixth', 'a)b', '--c'],
    [2, 'fifth', '$()', '--d'],
    [6, 'eighth'],
  ]);
});

test('commands in comments of manifests are indented or quoted', () => {
  const text = '# Before: "npm run a -- --b" and c.\n#   kubectl apply\nkey: 1 # "npm run d"\n';
  expect(findCommandsInComments(text)).toEqual([
    [1, 'npm run a -- --b'],
    [2, 'kubectl apply'],
  ]);
});

const page = (path: string, language: string, text: string): Document => ({
  path,
  text,
  prose: new Map(),
  blocks: [{ line: 1, language, text, notRun: undefined }],
});

test('pages define each setting once and never append to .env', () => {
  const [first, second] = [page('a.md', 'ini', 'A=1\nP=x'), page('b.md', 'ini', 'P=y')];
  expect(checkSettings([first, second])).toEqual(['b.md:1: a.md:2 already defines P']);
  expect(checkSettings([page('c.md', 'sh', 'echo P=z >> .env')])).toEqual([
    'c.md:1: appends to .env, which may already define the name',
  ]);
});
