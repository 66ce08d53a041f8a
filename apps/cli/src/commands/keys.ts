import { isOutcomeUnknown, NotFoundError, type ApiKey } from '@saleschannel/sdk';
import type { Command } from 'commander';
import type { KeyCredentials } from '../config.ts';
import { withExamples, withKey, type KeyOptions } from '../options.ts';
import { clientOf } from '../session.ts';
import { Misuse } from '../surroundings.ts';
import type { Tools } from '../tools.ts';

const columns = {
  ID: ({ id }: ApiKey) => id,
  CREATED: ({ createdOn }: ApiKey) => createdOn,
  EXPIRES: ({ expiresAt }: ApiKey) => expiresAt,
};

export function addKeys(program: Command, tools: Tools): void {
  const keys = program.command('keys').description('The API keys of the signed-in user.');
  const options = { signal: tools.surroundings.signal };
  keys
    .command('list')
    .description('Lists the keys.')
    .action(async () => tools.printer().list(await tools.client().apiKeys.list(options), columns));
  withKey(keys.command('create'))
    .description('Makes a key. Its passphrase is shown here, and never again.')
    .action(async (key: KeyOptions) =>
      tools.printer().one(await tools.client().apiKeys.create({ ...options, ...key })),
    );
  keys
    .command('delete <id>')
    .description('Deletes a key. Keys made with it go on working.')
    .option('--descendants', 'delete every key made with it too, as after a leak')
    .action(async (id: string, { descendants }: { descendants?: true }) =>
      tools.printer().one(await tools.client().apiKeys.delete(id, { ...options, descendants: descendants ?? false })),
    );
  const rotate = withKey(keys.command('rotate'))
    .description(
      'Replaces the key of the profile: makes one, keeps it, tries it, and then deletes the old one with it.',
    )
    .action((key: KeyOptions) => runRotate(tools, key));
  withExamples(rotate, 'keys rotate', '--profile staging keys rotate');
}

/** At every moment the profile holds a key that is good. */
async function runRotate(tools: Tools, key: KeyOptions): Promise<void> {
  if (tools.surroundings.environment['SCS_API_KEY_ID']) {
    throw new Misuse('SCS_API_KEY_ID names the key: there is no profile to keep another one in');
  }
  const config = tools.config();
  // Two at once would delete each other's keys.
  const rotated = await config.change(async (profile, save) => {
    const old = profile?.credentials;
    if (!profile || old?.kind !== 'api-key') {
      throw new Misuse(`the profile ${config.profileName} has no API key: scs login --api-key`);
    }
    const { id, passphrase, expiresAt } = await tools.client().apiKeys.create({ ...key });
    const credentials: KeyCredentials = { kind: 'api-key', apiKeyId: id, passphrase };
    save({ ...profile, credentials });
    const fresh = clientOf({ baseUrl: profile.baseUrl, credentials });
    try {
      await fresh.request('getMe');
    } catch (error) {
      save({ ...profile, credentials: old });
      tools.say(`the profile keeps its key. The new one is not used: scs keys delete ${id}`);
      throw error;
    }
    await fresh.apiKeys.delete(old.apiKeyId).catch((error: unknown) => {
      // An attempt whose answer was lost has deleted it.
      if (error instanceof NotFoundError && isOutcomeUnknown(error)) return;
      tools.say(`the profile has the new key ${id}. The old one may still be good: scs keys delete ${old.apiKeyId}`);
      throw error;
    });
    return { id, expiresAt, replaced: old.apiKeyId };
  });
  tools.printer().one(rotated);
}
