import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { projectRoot } from '@saleschannel/local';
import { createTemporaryFolder } from '@saleschannel/local-backends';
import { copyMutated, mutationNames } from '../src/mutations.ts';

const files: Readonly<Record<string, string>> = {
  'lost-row': 'apps/events/src/operations/append-events.ts',
  'doubled-trade': 'apps/tasks/src/domain/transfer.ts',
  'early-answer': 'apps/registry-import/src/rpc/account-holders.ts',
  'kept-lease': 'apps/webhooks/src/store/leases.ts',
};

test('every mutation applies to the current sources', async () => {
  expect(Object.keys(files)).toEqual(mutationNames);
  for (const [name, file] of Object.entries(files)) {
    const folder = await createTemporaryFolder();
    try {
      const root = copyMutated(name, join(folder, 'sources'));
      expect(readFileSync(join(root, file), 'utf8')).not.toBe(readFileSync(join(projectRoot, file), 'utf8'));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
});
