import { existsSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import { writePrivateJson } from './files.ts';

/** Sample data and credentials of a running system, for scripts. */
export interface Demo {
  readonly baseUrl: string;
  readonly registryBaseUrl: string;
  readonly issuer: string;
  readonly tokenEndpoint: string;
  readonly audience: string;
  readonly registryKey: DemoKey;
  readonly channels: readonly [DemoChannel, DemoChannel];
}

export interface DemoChannel {
  readonly salesChannelId: string;
  readonly accountHolderId: string;
  readonly traders: readonly DemoTrader[];
  /** The first has all roles. The second is bound to the channel without a role. */
  readonly users: readonly [DemoUser, DemoUser];
}

export interface DemoTrader {
  readonly id: string;
  readonly name: string;
  /** True: onboarded by proposal. False: created by the sales channel. */
  readonly onboarded: boolean;
}

export interface DemoUser {
  readonly userId: string;
  readonly roles: readonly string[];
  /** Client id at the identity provider. */
  readonly clientId: string;
  readonly clientSecret: string;
  readonly apiKey: DemoKey;
}

export interface DemoKey {
  readonly id: string;
  readonly secret: string;
}

/** The file uses the names of the public API, which calls the secret of an API key passphrase. */
const userInFile = z.object({
  userId: z.string(),
  roles: z.array(z.string()),
  clientId: z.string(),
  clientSecret: z.string(),
  apiKeyId: z.string(),
  passphrase: z.string(),
});

const userOf = ({ apiKeyId, passphrase, ...user }: z.infer<typeof userInFile>): DemoUser => ({
  ...user,
  apiKey: { id: apiKeyId, secret: passphrase },
});

const user = userInFile.transform(userOf);

const channel = z.object({
  salesChannelId: z.string(),
  accountHolderId: z.string(),
  traders: z.array(z.object({ id: z.string(), name: z.string(), onboarded: z.boolean() })),
  users: z.tuple([user, user]),
});

const demoFile = z.object({
  baseUrl: z.string(),
  registryBaseUrl: z.string(),
  issuer: z.string(),
  tokenEndpoint: z.string(),
  audience: z.string(),
  registryKey: z
    .object({ apiKey: z.string(), apiSecret: z.string() })
    .transform(({ apiKey, apiSecret }): DemoKey => ({ id: apiKey, secret: apiSecret })),
  channels: z.tuple([channel, channel]),
});

/** Reads a demonstration. Undefined without a file. @throws ZodError for other content */
export const readDemo = (file: string): Demo | undefined =>
  existsSync(file) ? demoFile.parse(JSON.parse(readFileSync(file, 'utf8'))) : undefined;

/** Writes the file described in the README. */
export function writeDemo(file: string, { registryKey, channels, ...rest }: Demo): void {
  const inFile: z.input<typeof demoFile> = {
    ...rest,
    registryKey: { apiKey: registryKey.id, apiSecret: registryKey.secret },
    channels: [channelInFile(channels[0]), channelInFile(channels[1])],
  };
  writePrivateJson(file, inFile);
}

const channelInFile = ({ users, traders, ...rest }: DemoChannel): z.input<typeof channel> => ({
  ...rest,
  traders: [...traders],
  users: [userForFile(users[0]), userForFile(users[1])],
});

const userForFile = ({ userId, roles, clientId, clientSecret, apiKey }: DemoUser): z.infer<typeof userInFile> => ({
  userId,
  roles: [...roles],
  clientId,
  clientSecret,
  apiKeyId: apiKey.id,
  passphrase: apiKey.secret,
});
