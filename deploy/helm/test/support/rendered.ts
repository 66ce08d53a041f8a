import { afterAll, describe, test } from '@jest/globals';
import { copyCharts, type Charts } from '../../charts.ts';
import { findHelm } from '../../helm-program.ts';
import { parseObjects, type KubernetesObject } from './manifests.ts';

export const PRODUCTION = 'examples/values-production.yaml';

const helm = findHelm();

/** Skips tests that need Helm on machines without it, with a message. */
export function describeWithHelm(what: string, body: (charts: Charts) => void): void {
  if (helm) {
    describe(what, () => {
      const charts = copyCharts(helm);
      afterAll(() => charts.remove());
      body(charts);
    });
  } else test(`${what}: not tested, there is no Helm 4 on this machine`, () => undefined);
}

/** Renders a production installation, with the services of a sandbox and the job of the admin command. */
export const renderEverything = (charts: Charts): KubernetesObject[] =>
  parseObjects(
    charts.render('saleschannel', [PRODUCTION], '--set', 'sandbox.enabled=true,admin.args={list-sales-channels}'),
  );
