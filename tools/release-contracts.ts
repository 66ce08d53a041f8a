// npm run release:contracts
//
// Part of a release: records what services of this release promise each other, so that the
// next ones can be held against it. protos/last-release.json is for "buf breaking", libs/contracts/released/ for the
// compatibility test of integration events.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { integrationEventSchemas } from '../libs/contracts/src/index.ts';
import { samples } from '../libs/contracts/test/support/samples.ts';

const root = join(import.meta.dirname, '..');
const buf = join(root, 'node_modules/.bin/buf');
execFileSync(buf, ['build', '--exclude-source-info', '-o', 'protos/last-release.json'], {
  cwd: root,
  stdio: 'inherit',
});

const released = Object.entries(integrationEventSchemas).map(([type, schema]) => [
  type,
  // As a reader sees it: further members are ignored.
  { schema: z.toJSONSchema(schema, { io: 'input' }), samples: samples[type as keyof typeof samples] },
]);
writeFileSync(
  join(root, 'libs/contracts/released/integration-events.json'),
  `${JSON.stringify(Object.fromEntries(released), null, 2)}\n`,
);
