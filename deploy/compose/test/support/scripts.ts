import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawnSync } from 'node:child_process';
import { projectRoot, type Finished } from '../../../installation/test/support/programs.ts';

/** Records its calls. The file `running` lists running services, and a call that matches `failing` fails. */
const STAND_IN = `#!/usr/bin/env bash
here=$(dirname "$0")
if [ "$1" = inspect ]; then echo true; exit; fi
if [ "$1" = ps ]; then grep -xF -- "$3" "$here/running"; exit 0; fi
echo "$*\${ALL_IN_ONE_SERVICES:+ hosting $ALL_IN_ONE_SERVICES}" >> "$here/calls"
grep -qE -- "$(cat "$here/failing")" <<< "$*" && exit 1
if [ "$1" = buildx ]; then printf 'sha256:%s\n' "$(printf '0123456789abcdef%.0s' 1 2 3 4)"; fi
if [ "$1" = up ]; then shift; printf '%s\\n' "$@" >> "$here/running"; fi
if [ "$1" = stop ]; then : > "$here/running"; fi
exit 0
`;

export interface Checkout {
  /** Recorded calls of Compose, without "ps". */
  calls(): string[];
  settings(): string;
  readonly settingsFile: string;
  run(script: string, ...args: string[]): Finished;
  /** Makes later matching calls fail. */
  fail(pattern: string): void;
  start(...services: string[]): void;
  remove(): void;
}

/** Creates a folder with the scripts of deploy/compose, docker-compose.yml, .env and a fake Docker. */
export function createCheckout(settings: string): Checkout {
  const folder = mkdtempSync(join(tmpdir(), 'saleschannel-scripts-'));
  const [settingsFile, calls, standIn] = [join(folder, '.env'), join(folder, 'calls'), join(folder, 'docker')];
  mkdirSync(join(folder, 'deploy'));
  cpSync(join(projectRoot, 'deploy/compose'), join(folder, 'deploy/compose'), { recursive: true });
  cpSync(join(projectRoot, 'docker-compose.yml'), join(folder, 'docker-compose.yml'));
  writeFileSync(settingsFile, settings, { mode: 0o600 });
  writeFileSync(standIn, STAND_IN);
  chmodSync(standIn, 0o755);
  writeFileSync(join(folder, 'running'), '');
  writeFileSync(join(folder, 'failing'), '^$');
  return {
    settingsFile,
    calls: () => (existsSync(calls) ? readFileSync(calls, 'utf8').trimEnd().split('\n') : []),
    settings: () => readFileSync(settingsFile, 'utf8'),
    run: (script, ...args) =>
      spawnSync('bash', [join(folder, 'deploy/compose', script), ...args], {
        cwd: tmpdir(),
        encoding: 'utf8',
        env: { PATH: process.env['PATH'], COMPOSE: standIn, DOCKER: standIn },
      }),
    fail: (pattern) => writeFileSync(join(folder, 'failing'), pattern),
    start: (...services) => writeFileSync(join(folder, 'running'), `${services.join('\n')}\n`),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
