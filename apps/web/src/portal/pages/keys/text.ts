import { translate } from '../../../shared/i18n/messages.ts';

export const text = translate({
  title: 'Keys',
  apiKeys: 'API keys',
  apiKeysAbout:
    'For programs that act as you. Use the key as user name and the secret as password of Basic authentication.',
  registryKeys: 'Registry keys',
  registryKeysAbout: 'For programs of the registry. A key acts for the account holder, not for you.',
  noApiKeys: 'You have no API keys.',
  noRegistryKeys: 'There are no registry keys.',
  id: 'Key',
  secret: 'Secret',
  name: 'Name',
  nameHint: 'Helps you recognize the key, for example "Reporting job".',
  noName: 'no name',
  created: 'Created, UTC',
  madeWith: 'Created with',
  lastUsed: 'Last used, UTC',
  never: 'never',
  expires: 'Expires, UTC',
  createApiKey: 'Create API key',
  createRegistryKey: 'Create registry key',
  create: 'Create key',
  validUntil: 'Valid until',
  validUntilHint: 'At most two years from now. Create the next key before this one expires.',
  cancel: 'Cancel',
  newKey: 'Key created',
  onlyOnce: 'The secret is shown only once. Copy it now.',
  notNamed: 'The key could not be named. Name it in the list.',
  copied: 'I have copied it',
  act: 'Change',
  rename: 'Rename',
  renameOf: (key: string) => `Rename the key ${key}`,
  saveName: 'Save name',
  rotate: 'Rotate',
  rotateOf: (key: string) => `Rotate the key ${key}`,
  rotateWhy:
    'First, create a new key with the same name. The old key keeps working until you have given the new key to your ' +
    'programs and deleted the old key.',
  rotateCreate: 'Create new key',
  rotateNext: 'Now give the new key to your programs. Then delete the old key.',
  rotateKeep: 'Keep old key for now',
  rotateDelete: 'Delete old key',
  rotateDeleteOf: (key: string) => `Delete the old key ${key}`,
  delete: 'Delete',
  deleteTitle: (key: string) => `Delete the key ${key}`,
  deleteWhy: 'Programs that use this key are refused immediately. This cannot be undone.',
  madeWithIt: (count: number) =>
    count === 1
      ? '1 key was created with it and keeps working.'
      : `${count} keys were created with it and keep working.`,
  deleteMade: (count: number) =>
    count === 1 ? 'Also delete the key created with it' : `Also delete the ${count} keys created with it`,
  lastUsedAt: (time: string) => `It was last used on ${time}, UTC.`,
  neverUsed: 'It was never used.',
  deleteKey: 'Delete key',
  ended: 'expired',
  daysLeft: (days: number) =>
    days < 1 ? 'expires today' : days === 1 ? 'expires tomorrow' : `expires in ${days} days`,
});
