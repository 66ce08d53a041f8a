import { writeFile } from 'node:fs/promises';
import type { Demo } from '../../src/demo.ts';

/** Writes a demo file as `npm start` does, with the names of the public APIs. */
export async function writeDemoFile(path: string, { registryKey, channels, ...rest }: Demo): Promise<void> {
  const inFile = {
    ...rest,
    registryKey: { apiKey: registryKey.id, apiSecret: registryKey.secret },
    channels: channels.map((channel) => ({
      ...channel,
      users: channel.users.map(({ apiKey }) => ({ apiKeyId: apiKey.id, passphrase: apiKey.secret })),
    })),
  };
  await writeFile(path, JSON.stringify(inFile));
}
