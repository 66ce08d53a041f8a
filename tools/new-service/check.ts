// node tools/new-service/check.ts
//
// Creates a service in a copy of the workspace and checks the copy. Takes minutes, so "npm test" runs only a dry run.
import { Workspace } from '../release/test/support/workspace.ts';

const NAME = 'carbon-prices';
using workspace = Workspace.make();
workspace.script('new-service', NAME);
workspace.commit('A new service');
workspace.script('check');
workspace.script('jest', 'deploy/installation', 'apps/admin');
console.log('A new service passes every check that does not need the whole system.');
