import { roles, type Role } from '@saleschannel/auth';
import type { Demo } from './demo-file.ts';
import type { DemoTarget } from './demo.ts';

interface Person {
  /** Under which they sign in at the development identity provider, with any password. */
  readonly name: string;
  readonly about: string;
  /** On the first sales channel. Undefined: they are of no sales channel. */
  readonly roles: readonly Role[] | undefined;
  /** Of the first channel's account holder, which is a registry. */
  readonly isHolder: boolean;
}

/** Who may sign in to the portal of the demonstration. */
export const people: readonly Person[] = [
  { name: 'anna', about: 'user of a sales channel with all roles', roles, isHolder: false },
  {
    name: 'bo',
    about: 'user of the same sales channel with all VIEWER roles',
    roles: roles.filter((role) => role.endsWith('_VIEWER')),
    isHolder: false,
  },
  { name: 'holder', about: 'user of an account holder that owns certificates', roles: undefined, isHolder: true },
];

/** Makes the people known. They keep what they were given since. */
export async function ensurePeople(
  { administration, issuer }: Pick<DemoTarget, 'administration' | 'issuer'>,
  { channels: [{ salesChannelId, accountHolderId }] }: Demo,
): Promise<void> {
  await Promise.all(
    people.map(async ({ name: subject, roles, isHolder }) => {
      if (roles) await administration.assignRoles({ issuer, subject, salesChannelId, roles });
      if (isHolder) await administration.setAccountHolder({ issuer, subject, accountHolderId });
    }),
  );
}
