import { randomBytes } from 'node:crypto';
import { generateServiceKeys } from '@saleschannel/auth';
import { subjectOf, subjectOptions, type Command } from './command.ts';

/** Everything in a deployment that has a key by which the others know it. */
export const keyHolders = [
  'gateway',
  'identity',
  'rbac',
  'traders',
  'inventory',
  'tasks',
  'events',
  'registry-import',
  'admin',
] as const;

const PEPPER_BYTES = 32;

export const issueApiKey: Command = {
  name: 'issue-api-key',
  description: 'make an API key of a user, good for a year; its secret is shown once',
  options: subjectOptions,
  run: (input, { administration }) => administration((admin) => admin.issueApiKey(subjectOf(input))),
};

export const issueRegistryKey: Command = {
  name: 'issue-registry-key',
  description: 'make a registry key of an account holder; its secret is shown once',
  options: {
    'account-holder': { description: 'id of the account holder', value: 'id', required: true },
    'expires-at': {
      description: 'its end, at most two years ahead, such as 2030-01-31T00:00:00Z',
      value: 'date-time',
      required: true,
    },
  },
  run: (input, { administration }) =>
    administration((admin) =>
      admin.issueRegistryKey({ accountHolderId: input.text('account-holder'), expiresAt: input.text('expires-at') }),
    ),
};

export const generateKeys: Command = {
  name: 'keys generate',
  description:
    'make the secrets of a new deployment: the keys by which services know each other, and the pepper of stored keys',
  options: {},
  async run() {
    const { privateKeys, publicKeys } = await generateServiceKeys(keyHolders);
    return {
      SERVICE_PUBLIC_KEYS: publicKeys,
      SERVICE_PRIVATE_KEY: privateKeys,
      API_KEY_PEPPER: randomBytes(PEPPER_BYTES).toString('base64'),
    };
  },
};
