/** Old address → new address of what moved or was merged, both below `/docs/`. */
export const redirects: Readonly<Record<string, string>> = {
  'decisions/0015-ledger-sequence': 'decisions/0014-tasks-end-through-the-ledger',
  'decisions/0017-tokens-for-one-receiver': 'decisions/0003-principal-tokens',
  'decisions/0024-sessions-by-trails': 'decisions/0018-suspension-and-standing-asked',
  'decisions/0028-issuances-set-based': 'decisions/0002-plan-in-typescript-write-set-based',
  'decisions/0042-public-pages': 'decisions/0041-statements',
  'decisions/0049-compatibility': 'decisions/0048-ownership-and-releases',
  'decisions/0062-recent-sign-in': 'decisions/0060-session-records',
  'files/saleschannel.postman_collection.json': 'collection',
  'inside/apps/bench': 'inside/lab/bench',
  'inside/apps/chaos': 'inside/lab/chaos',
  'inside/apps/cli': 'inside/clients/cli',
  'inside/apps/drill': 'inside/lab/drill',
  'inside/apps/e2e': 'inside/lab/e2e',
  'inside/apps/replay': 'inside/clients/replay',
  'inside/deploy/engine': 'inside/lab/engine',
  'inside/libs/sdk': 'inside/clients/sdk',
};
