import type { Command } from 'commander';
import { requireKnown, reasonOption, withExamples } from '../options.ts';
import type { Tools } from '../tools.ts';

const KEY = 'id of the key, which is the user name in Basic authentication';
const USER = 'id of the user, as "list users" shows it';

export function addRevokeKey(program: Command, { powers, print, warn }: Tools): void {
  const command = program
    .command('revoke-key')
    .description('delete an API key or registry key, and every key created with it')
    .argument('<key>', KEY)
    .action(async (keyId: string) => {
      const { keyIds } = await powers(({ identity }) => identity.RevokeKey({ keyId }));
      if (keyIds.length === 0) warn('There is no such key. It may already be revoked.');
      print({ revoked: keyIds });
    });
  withExamples(command, 'revoke-key <id>');
}

export function addRevokeUserKeys(program: Command, { powers, print }: Tools): void {
  const command = program
    .command('revoke-user-keys')
    .description('delete all API keys of a user, and the registry keys that they created')
    .argument('<user>', USER)
    .action(async (userId: string) => {
      const { keyIds } = await requireKnown(
        'user',
        powers(({ identity }) => identity.RevokeUserKeys({ userId })),
      );
      print({ revoked: keyIds });
    });
  withExamples(command, 'revoke-user-keys <id>');
}

export function addEndSessions(program: Command, { powers, print }: Tools): void {
  const command = program
    .command('end-sessions')
    .description('end all sessions of a user in the portal and the console; keys stay valid')
    .argument('<user>', USER)
    .addOption(reasonOption())
    .action(async (userId: string, { reason }: { reason: string }) => {
      const { sessions } = await requireKnown(
        'user',
        powers(({ identity }) => identity.EndUserSessions({ userId, reason })),
      );
      print({ ended: sessions });
    });
  withExamples(command, 'end-sessions <id> --reason "lost laptop"');
}

export function addDisableUser(program: Command, { powers, print }: Tools): void {
  const command = program
    .command('disable-user')
    .description('reject all credentials of a user; keys and bindings are kept')
    .argument('<user>', USER)
    .addOption(reasonOption())
    .action(async (userId: string, { reason }: { reason: string }) =>
      print(
        await requireKnown(
          'user',
          powers(({ identity }) => identity.DisableUser({ userId, reason })),
        ),
      ),
    );
  withExamples(command, 'disable-user <id> --reason "left the company"');
}

export function addEnableUser(program: Command, { powers, print }: Tools): void {
  const command = program
    .command('enable-user')
    .description('accept the credentials of a user again')
    .argument('<user>', USER)
    .action(async (userId: string) =>
      print(
        await requireKnown(
          'user',
          powers(({ identity }) => identity.EnableUser({ userId })),
        ),
      ),
    );
  withExamples(command, 'enable-user <id>');
}

export function addUnbindUser(program: Command, { powers, print, warn }: Tools): void {
  const command = program
    .command('unbind-user')
    .description('remove a user from their sales channel, with all roles')
    .argument('<user>', USER)
    .action(async (userId: string) => {
      const ended = await requireKnown(
        'user',
        powers(({ rbac }) => rbac.EndBinding({ userId })),
      );
      if (!ended.binding) warn('The user has no sales channel.');
      if (ended.wasLastAdministrator)
        warn('The sales channel no longer has a ROLE_ADMINISTRATOR. Give the role to another user with assign-roles.');
      print({ unbound: ended.binding });
    });
  withExamples(command, 'unbind-user <id>');
}
