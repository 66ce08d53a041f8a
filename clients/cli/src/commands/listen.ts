import type { Command } from 'commander';
import { UsageError } from '../context.ts';
import { describeError } from '../failures.ts';
import { Forwarder, createWebhookSecret } from '../listen/forwarder.ts';
import { PositionStore } from '../listen/position.ts';
import { createPollOption, parseUrl, addExamples } from '../options.ts';
import type { Tools } from '../tools.ts';

interface ListenOptions {
  readonly forwardTo: string;
  readonly fromStart?: boolean;
  readonly poll: number;
}

export function addListen(program: Command, tools: Tools): void {
  const listen = program
    .command('listen')
    .description('Forwards each event as a signed webhook, from the stored position, so that no event is lost.')
    .requiredOption('--forward-to <url>', 'target, such as http://127.0.0.1:3000/webhooks', parseUrl)
    .option('--from-start', 'if no position is stored, start with the first event of the log instead of the next one')
    .addOption(createPollOption(1))
    .action((options: ListenOptions) => runListen(options, tools));
  addExamples(listen, 'listen --forward-to http://127.0.0.1:3000/webhooks');
}

/** Webhook secret of the profile. Shown only when it is created. */
function getWebhookSecret(tools: Tools): string | Promise<string> {
  const config = tools.config();
  const stored = config.profile()?.webhookSecret;
  if (stored !== undefined) return stored;
  return config.change((profile, save) => {
    if (!profile) throw new UsageError(`The profile ${config.profileName} does not exist. Run scs login.`);
    if (profile.webhookSecret !== undefined) return profile.webhookSecret;
    const webhookSecret = createWebhookSecret();
    save({ ...profile, webhookSecret });
    tools.printMessage(`Webhook secret of this profile, which your program needs to verify webhooks: ${webhookSecret}`);
    return webhookSecret;
  });
}

async function runListen({ forwardTo, fromStart, poll: pollMs }: ListenOptions, tools: Tools): Promise<void> {
  const { signal } = tools.io;
  const client = tools.client();
  const config = tools.config();
  const onFailure = (error: unknown): void => tools.printMessage(`scs: ${describeError(error)}\nscs: retrying`);
  const forwarder = new Forwarder({
    target: forwardTo,
    secret: await getWebhookSecret(tools),
    signal,
    onFailure,
  });
  const positions = new PositionStore(config.folder, {
    profile: config.profileName,
    baseUrl: new URL(tools.session().baseUrl).href,
    target: forwardTo,
  });
  const start = positions.read() ?? positions.save(fromStart === true ? {} : await positions.readEnd(client, signal));
  tools.printMessage(`Forwarding events to ${forwardTo} from ${start.position ?? 'the first event'}`);
  let { eventId } = start;
  const log = client.events.iterate({ from: start.position, follow: true, pollMs, signal, onFailure });
  for await (const { event, position } of log) {
    await forwarder.forward(event, eventId ?? null);
    // Stored after forwarding: an interrupted run forwards the event again.
    positions.save({ position, eventId: event.id });
    eventId = event.id;
    tools.printer().printEvent({ id: event.id, ...event.payload, position }, forwardedColumns);
  }
}

interface Forwarded {
  readonly id: string;
  readonly transactionId: string;
  readonly status: string;
}

const forwardedColumns = {
  ID: ({ id }: Forwarded) => id,
  TRANSACTION: ({ transactionId }: Forwarded) => transactionId,
  STATUS: ({ status }: Forwarded) => status,
};
