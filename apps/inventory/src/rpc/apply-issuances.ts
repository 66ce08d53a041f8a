import { actorTold } from '@saleschannel/audit';
import type { Rpc } from '@saleschannel/grpc';
import type { Context } from '../context.ts';
import { issuance } from '../domain/issuance.ts';
import { applyEach } from '../operations/apply-each.ts';
import { applyIssuances as apply } from '../operations/apply-issuances.ts';
import { issueOnce } from '../operations/issue-once.ts';

export const applyIssuances: Rpc<'ledger.ApplyIssuances', Context> =
  (context) =>
  async ({ issuances, actor: told, repeatable, ...fence }, call) => {
    const actor = actorTold(told, call);
    let replayed = false;
    const { results } = await applyEach(issuance, issuances, async (valid) => {
      const [only] = valid;
      if (!repeatable || !only) return apply(context.database, context.clock, valid, actor, fence);
      const once = await issueOnce(context, only, actor, repeatable);
      ({ replayed } = once);
      return once.outcomes;
    });
    return { results, replayed };
  };
