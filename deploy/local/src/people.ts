import { roles, type Role } from '@saleschannel/auth';
import type { Demo } from './demo-file.ts';
import type { DemoTarget } from './demo.ts';

interface Person {
  /** Name at the development identity provider, which accepts any password. */
  readonly name: string;
  readonly about: string;
  /** Roles on the first sales channel. Undefined: not a user of any. */
  readonly roles: readonly Role[] | undefined;
  /** True for a user of the first channel's account holder, a registry. */
  readonly isHolder: boolean;
}

/** People who can sign in to the portal of the demonstration. */
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

/** Creates the people, and keeps later changes to them. */
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
