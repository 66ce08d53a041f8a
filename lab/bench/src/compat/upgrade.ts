import type { Outcomes } from './outcomes.ts';
import type { Release } from './release.ts';
import { Rollout, type RolloutOptions } from './rollout.ts';
import { install, listServices, type System } from './system.ts';
import { runUnderLoad, type TrialReport, type TrialOptions } from './trial.ts';

interface UpgradeOptions extends RolloutOptions, TrialOptions {
  readonly to: Release;
}

/** Upgrades a system under load, downgrades it, and upgrades it again. */
export async function runUpgrade(system: System, outcomes: Outcomes, options: UpgradeOptions): Promise<TrialReport> {
  const { from, to, say } = options;
  await install(system, from);
  say(`running ${from.name}`);
  const rollout = new Rollout(system.fleet, outcomes, options);
  const report = await runUnderLoad(system, outcomes, options, async (load) => {
    /** An earlier release may not have webhooks. */
    const follow = async (release: Release): Promise<void> => {
      if (load.endpoints.length === 0 && listServices(release).includes('webhooks')) await load.followByWebhooks();
    };
    await follow(from);
    await rollout.rest('before');
    await rollout.phase('migrations', () => system.migrate(to));
    await rollout.rest('old code, new schema');
    await rollout.change('forward', to);
    await follow(to);
    await rollout.change('back', from);
    await rollout.change('forward again', to);
    await rollout.rest('after');
  });
  say(`${rollout.changed} replicas were replaced, started or stopped`);
  return report;
}
