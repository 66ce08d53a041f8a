import { existsSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import { writePrivateJson } from './private-file.ts';

/** The demonstration's data: what scripts need to know of a running system. */
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
  /** The first one holds all roles. The second one is bound to the channel and holds none. */
  readonly users: readonly [DemoUser, DemoUser];
}

export interface DemoTrader {
  readonly id: string;
  readonly name: string;
  /** True: by proposal of its account holder. False: made by the sales channel. */
  readonly onboarded: boolean;
}

export interface DemoUser {
  readonly userId: string;
  readonly roles: readonly string[];
  /** Of the identity provider. */
  readonly clientId: string;
  readonly clientSecret: string;
  readonly apiKey: DemoKey;
}

export interface DemoKey {
  readonly id: string;
  readonly secret: string;
}

/** The file has the names of the public APIs: there the secret of an API key is its passphrase. */
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

/** The demonstration that a file describes. Undefined where there is no file. @throws ZodError for another content */
export const readDemo = (file: string): Demo | undefined =>
  existsSync(file) ? demoFile.parse(JSON.parse(readFileSync(file, 'utf8'))) : undefined;

/** Writes the file that the README describes. */
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
