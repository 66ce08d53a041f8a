import { expect, test } from '@jest/globals';
import { Workspace } from './support/workspace.ts';

const OWNERS = '.github/CODEOWNERS';

test('reports paths without an owner, without a team, or with a wrong team', () => {
  using workspace = Workspace.make();
  expect(workspace.run('check-owners')).toMatchObject({ status: 0 });

  workspace.write('lab/e2e/new.txt', 'Below a folder that has an owner.');
  workspace.replace(OWNERS, '\n/docs/ ', '\n/documents/ ');
  workspace.replace(OWNERS, '@saleschannel/auditor-team', '@saleschannel/admin-team');
  const text = workspace.read(OWNERS);
  workspace.write(OWNERS, text.replace(/^\/protos\/tasks\/.*$/m, '/protos/tasks/ @saleschannel/tasks-team'));
  const { status, output } = workspace.run('check-owners');
  expect(status).toBe(1);
  expect(output).toContain('docs/integrate/api.md: has no owner');
  expect(output).toContain('/documents/: matches nothing');
  expect(output).toContain('apps/auditor: needs its own team, not that of admin');
  expect(output).toContain('protos/tasks/: must belong to @saleschannel/tasks-team and @saleschannel/platform-team');
  expect(output).not.toContain('new.txt');
});
