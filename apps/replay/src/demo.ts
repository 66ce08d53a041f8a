import { readFile } from 'node:fs/promises';

export interface DemoTrader {
  readonly id: string;
  readonly name: string;
  readonly onboarded: boolean;
}

export interface DemoUser {
  readonly apiKeyId: string;
  readonly passphrase: string;
}

export interface DemoChannel {
  readonly salesChannelId: string;
  readonly accountHolderId: string;
  readonly traders: readonly DemoTrader[];
  readonly users: readonly DemoUser[];
}

/** The part of `.local/demo.json` that is needed here. */
export interface Demo {
  readonly baseUrl: string;
  readonly registryBaseUrl: string;
  readonly registryKey: { readonly apiKey: string; readonly apiSecret: string };
  readonly channels: readonly DemoChannel[];
}

/** Addresses, keys and parties of one replay. */
export interface Setting {
  readonly baseUrl: string;
  readonly registryBaseUrl: string;
  readonly registryKey: Demo['registryKey'];
  readonly user: DemoUser;
  readonly salesChannelId: string;
  readonly accountHolderId: string;
  /** Owner of the issuances: the account holder's trader. */
  readonly trader: DemoTrader;
  /** Takes what lies between the ranges. */
  readonly secondTrader: DemoTrader;
  /** All of the channel that the demo file knows. */
  readonly traders: readonly DemoTrader[];
}

/** The demo file is missing, or is not what it should be. */
export class UnusableDemo extends Error {
  override name = 'UnusableDemo';
}

function text(value: unknown, name: string): void {
  if (typeof value !== 'string' || value === '') throw new UnusableDemo(`${name} is missing`);
}

function url(value: unknown, name: string): void {
  text(value, name);
  if (!URL.canParse(value as string)) throw new UnusableDemo(`${name} is not an address`);
}

/**
 * What a replay needs, from the first channel of a demo file.
 * @throws UnusableDemo
 */
export function settingOf(demo: Demo): Setting {
  const channel = demo?.channels?.[0];
  url(demo?.baseUrl, 'baseUrl');
  url(demo.registryBaseUrl, 'registryBaseUrl');
  text(demo.registryKey?.apiKey, 'registryKey.apiKey');
  text(demo.registryKey.apiSecret, 'registryKey.apiSecret');
  text(channel?.salesChannelId, 'channels[0].salesChannelId');
  text(channel?.accountHolderId, 'channels[0].accountHolderId');
  const user = channel?.users?.[0];
  text(user?.apiKeyId, 'channels[0].users[0].apiKeyId');
  text(user?.passphrase, 'channels[0].users[0].passphrase');
  const traders = channel?.traders ?? [];
  const trader = traders.find(({ onboarded }) => onboarded);
  const secondTrader = traders.find(({ id }) => id !== trader?.id);
  if (!channel || !user || !trader || !secondTrader)
    throw new UnusableDemo('channels[0].traders needs an onboarded trader and a second one');
  const { baseUrl, registryBaseUrl, registryKey } = demo;
  const { salesChannelId, accountHolderId } = channel;
  return {
    baseUrl,
    registryBaseUrl,
    registryKey,
    user,
    salesChannelId,
    accountHolderId,
    trader,
    secondTrader,
    traders,
  };
}

/** @throws UnusableDemo */
export async function readDemo(path: string): Promise<Demo> {
  let json: string;
  try {
    json = await readFile(path, 'utf8');
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    const reason = isMissing
      ? 'is not there: start the stack with "npm start", which writes it'
      : `cannot be read: ${(error as Error).message}`;
    throw new UnusableDemo(`${path} ${reason}`, { cause: error });
  }
  try {
    return JSON.parse(json) as Demo;
  } catch (error) {
    throw new UnusableDemo(`${path} is not JSON`, { cause: error });
  }
}
