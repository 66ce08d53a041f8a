import { setTimeout as delay } from 'node:timers/promises';
import { ForbiddenError, sandboxKinds, type Schemas } from '@saleschannel/sdk';
import { Argument, type Command } from 'commander';
import { CommandError } from '../failures.ts';
import { addExamples, addKeyOption, parseVolume, type KeyOptions } from '../options.ts';
import { confirm } from '../terminal.ts';
import type { Tools } from '../tools.ts';

type Kind = Schemas['SandboxKind'];

interface TriggerOptions extends KeyOptions {
  readonly endpoint?: string;
  readonly seconds?: number;
}

interface ResetOptions extends KeyOptions {
  readonly yes?: boolean;
}

/** Maximum time until the user belongs to the new channel. Services cache rights for up to five seconds. */
const MOVE_TIMEOUT_MS = 10_000;
const POLL_MS = 250;

export function addSandbox(program: Command, tools: Tools): void {
  const trigger = addKeyOption(program.command('trigger'))
    .description('Triggers an event on the sales channel. In a sandbox only.')
    .addArgument(new Argument('<kind>', 'event to trigger').choices(sandboxKinds))
    .option('--endpoint <id>', 'for webhook-down and webhook-late: the webhook endpoint; default all')
    .option('--seconds <number>', 'for webhook-down the duration, for webhook-late the delay: 10 to 3600', parseVolume)
    .action(async (kind: Kind, { endpoint, seconds, idempotencyKey }: TriggerOptions) => {
      const { signal } = tools.io;
      const body = {
        kind,
        ...(endpoint === undefined ? {} : { webhookEndpointId: endpoint }),
        ...(seconds === undefined ? {} : { seconds }),
      };
      tools
        .printer()
        .printRecord(await tools.client().request('triggerSandboxEvent', { body, signal, idempotencyKey }));
    });
  addExamples(trigger, 'trigger approval-rejected', 'trigger webhook-down --seconds 30');
  addKeyOption(program.command('reset'))
    .description('Replaces the sales channel by an empty one with sample traders. In a sandbox only.')
    .option('--yes', 'skip the confirmation')
    .action((options: ResetOptions) => runReset(tools, options));
}

async function runReset(tools: Tools, { yes, idempotencyKey }: ResetOptions): Promise<void> {
  const { io } = tools;
  const { signal } = io;
  const question = 'Replace this sales channel and everything on it by an empty one?';
  if (yes !== true && !(await confirm(io, question)))
    throw new CommandError('You did not confirm, so nothing was changed.');
  const client = tools.client();
  const reset = await client.request('resetSandbox', { signal, idempotencyKey }).withResponse();
  const moved = reset.data;
  for (const until = performance.now() + MOVE_TIMEOUT_MS; ; await delay(POLL_MS, undefined, { signal })) {
    const { salesChannel } = await client.request('getMe', { signal });
    if (salesChannel?.id === moved.salesChannelId) break;
    if (performance.now() > until)
      throw new CommandError(
        `The sales channel ${moved.salesChannelId} is not ready yet. Check it later with scs whoami.`,
      );
  }
  // One key serves both operations, because a key belongs to one operation. A repeat gets the first response of each.
  const call = { signal, idempotencyKey: reset.idempotencyKey };
  const traders = client.request('triggerSandboxEvent', { ...call, body: { kind: 'sample-traders' } });
  // Without the required role the channel stays empty, which is a valid result.
  await traders.catch((error: unknown) => {
    if (!(error instanceof ForbiddenError)) throw error;
    tools.printMessage('  no sample traders: requires TRADERONBOARDERPROPOSAL_ACCEPTER and TRANSACTION_ADMINISTRATOR');
  });
  tools.printer().printRecord(moved);
}
