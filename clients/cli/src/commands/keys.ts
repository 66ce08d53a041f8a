import { isOutcomeUnknown, NotFoundError, type ApiKey } from '@saleschannel/sdk';
import type { Command } from 'commander';
import type { KeyCredentials } from '../config.ts';
import { UsageError } from '../failures.ts';
import { addExamples, addKeyOption, type KeyOptions } from '../options.ts';
import { createClient } from '../session.ts';
import type { Tools } from '../tools.ts';

const columns = {
  ID: ({ id }: ApiKey) => id,
  CREATED: ({ createdOn }: ApiKey) => createdOn,
  EXPIRES: ({ expiresAt }: ApiKey) => expiresAt,
};

export function addKeys(program: Command, tools: Tools): void {
  const keys = program.command('keys').description('Manages the API keys of the signed-in user.');
  const options = { signal: tools.io.signal };
  keys
    .command('list')
    .description('Lists the keys.')
    .action(async () => tools.printer().printList(await tools.client().apiKeys.list(options), columns));
  addKeyOption(keys.command('create'))
    .description('Creates a key. Its passphrase is shown only once.')
    .action(async (key: KeyOptions) =>
      tools.printer().printRecord(await tools.client().apiKeys.create({ ...options, ...key })),
    );
  keys
    .command('delete <id>')
    .description('Deletes a key. Keys created with it stay valid.')
    .option('--descendants', 'also delete every key created with it, for example after a leak')
    .action(async (id: string, { descendants }: { descendants?: true }) =>
      tools
        .printer()
        .printRecord(await tools.client().apiKeys.delete(id, { ...options, descendants: descendants ?? false })),
    );
  const rotate = addKeyOption(keys.command('rotate'))
    .description(
      'Replaces the key of the profile: creates, stores and tries a new key, and deletes the old one with it.',
    )
    .action((key: KeyOptions) => runRotate(tools, key));
  addExamples(rotate, 'keys rotate', '--profile staging keys rotate');
}

/** Replaces the key so that the profile always has a valid key. */
async function runRotate(tools: Tools, key: KeyOptions): Promise<void> {
  if (tools.io.environment['SCS_API_KEY_ID'])
    throw new UsageError('SCS_API_KEY_ID sets the key, and scs rotates the keys of profiles only. Unset the variable.');
  const config = tools.config();
  // Under the lock: two rotations at once would delete each other's keys.
  const rotated = await config.change(async (profile, save) => {
    const old = profile?.credentials;
    if (!profile || old?.kind !== 'api-key')
      throw new UsageError(`The profile ${config.profileName} has no API key. Run scs login --api-key.`);
    const { id, passphrase, expiresAt } = await tools.client().apiKeys.create({ ...key });
    const credentials: KeyCredentials = { kind: 'api-key', apiKeyId: id, passphrase };
    save({ ...profile, credentials });
    const fresh = createClient({ baseUrl: profile.baseUrl, credentials });
    try {
      await fresh.request('getMe');
    } catch (error) {
      save({ ...profile, credentials: old });
      tools.printMessage(`The profile keeps its key. Delete the unused new key: scs keys delete ${id}`);
      throw error;
    }
    await fresh.apiKeys.delete(old.apiKeyId).catch((error: unknown) => {
      // An earlier attempt, whose response was lost, has deleted it.
      if (error instanceof NotFoundError && isOutcomeUnknown(error)) return;
      tools.printMessage(
        `The profile has the new key ${id}. The old key may still be valid: scs keys delete ${old.apiKeyId}`,
      );
      throw error;
    });
    return { id, expiresAt, replaced: old.apiKeyId };
  });
  tools.printer().printRecord(rotated);
}
