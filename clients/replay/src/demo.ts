import { readFile } from 'node:fs/promises';
import { toViolations } from '@saleschannel/primitives/validation';
import { z } from 'zod';
import type { Key } from './api/client.ts';
import type { Listing } from './plan/plan.ts';
import type { Parties } from './plan/steps.ts';
import { readErrorCode, readErrorMessage } from './text.ts';

/** Parts of the demo data of `npm start` used here. */
export interface Demo {
  readonly baseUrl: string;
  readonly registryBaseUrl: string;
  readonly registryKey: Key;
  readonly channels: readonly DemoChannel[];
}

interface DemoChannel {
  readonly salesChannelId: string;
  readonly accountHolderId: string;
  readonly traders: readonly { readonly id: string; readonly onboarded: boolean }[];
  readonly users: readonly { readonly apiKey: Key }[];
}

const text = z.string().min(1);
const address = z.url({ error: 'must be a URL' });

/** `.local/demo.json`, with the names of the public APIs, where the secret of an API key is its passphrase. */
const demoSchema = z.object({
  baseUrl: address,
  registryBaseUrl: address,
  registryKey: z
    .object({ apiKey: text, apiSecret: text })
    .transform(({ apiKey, apiSecret }): Key => ({ id: apiKey, secret: apiSecret })),
  channels: z.array(
    z.object({
      salesChannelId: text,
      accountHolderId: text,
      traders: z.array(z.object({ id: text, onboarded: z.boolean() })),
      users: z.array(
        z
          .object({ apiKeyId: text, passphrase: text })
          .transform(({ apiKeyId, passphrase }) => ({ apiKey: { id: apiKeyId, secret: passphrase } })),
      ),
    }),
  ),
});

/** Addresses, keys and parties of one replay. */
export interface Setting extends Pick<Demo, 'baseUrl' | 'registryBaseUrl' | 'registryKey'> {
  readonly userKey: Key;
  /** Owner of the issued certificates, and the channel that lists them. */
  readonly listing: Listing;
  /** The seller is the account holder's trader, who owns the issuances. */
  readonly parties: Parties;
  /** All traders of the channel in the demo file. */
  readonly traderIds: readonly string[];
}

/** The demo file is missing or invalid. */
export class DemoFileError extends Error {
  override name = 'DemoFileError';
}

/** @throws DemoFileError */
export async function readDemo(path: string): Promise<Demo> {
  const parsed = demoSchema.safeParse(parseJson(await readText(path), path), { reportInput: true });
  if (parsed.success) return parsed.data;
  const faults = toViolations(parsed.error).map(({ pointer, detail }) => `${pointer} ${detail}`);
  throw new DemoFileError(`${path} is not a demo file: ${faults.join('; ')}`);
}

/** Selects the settings of a replay from the first channel of a demo file. @throws DemoFileError */
export function selectSetting({ baseUrl, registryBaseUrl, registryKey, channels }: Demo): Setting {
  const [channel] = channels;
  const [user] = channel?.users ?? [];
  const seller = channel?.traders.find(({ onboarded }) => onboarded);
  const buyer = channel?.traders.find(({ id }) => id !== seller?.id);
  if (!channel || !user) throw new DemoFileError('the demo file needs a sales channel with a user');
  if (!seller || !buyer) throw new DemoFileError('the first sales channel needs an onboarded trader and a second one');
  return {
    baseUrl,
    registryBaseUrl,
    registryKey,
    userKey: user.apiKey,
    listing: { accountHolderId: channel.accountHolderId, salesChannelId: channel.salesChannelId },
    parties: { sellerId: seller.id, buyerId: buyer.id },
    traderIds: channel.traders.map(({ id }) => id),
  };
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const reason =
      readErrorCode(error) === 'ENOENT'
        ? 'does not exist: start the stack with "npm start", which writes it'
        : `cannot be read: ${readErrorMessage(error)}`;
    throw new DemoFileError(`${path} ${reason}`, { cause: error });
  }
}

function parseJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new DemoFileError(`${path} is not JSON`, { cause: error });
  }
}
