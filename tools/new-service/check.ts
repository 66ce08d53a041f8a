// npm run new-service:check: makes a service in a copy of the workspace, which proves it, and checks the copy with it.
// It takes minutes, so "npm test" has only the fast part.
import { Workspace } from '../release/test/support/workspace.ts';

const NAME = 'carbon-prices';
using workspace = Workspace.make();
workspace.script('new-service', NAME);
workspace.commit('A new service');
for (const name of ['typecheck', 'format:check', 'lint', 'lint:protos', 'release:check', 'check:generated']) {
  workspace.script(name);
}
workspace.script('jest', 'deploy/installation', 'apps/admin');
console.log(`a new service passes everything that can be checked without the whole system`);
