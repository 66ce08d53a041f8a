import type { Command } from 'commander';
import { known, reasonOption, withExamples } from '../options.ts';
import type { Tools } from '../tools.ts';

const KEY = 'id of the key, the user name of Basic authentication';
const USER = 'id of the user, which "list users" shows';

export function addRevokeKey(program: Command, { powers, print, warn }: Tools): void {
  const command = program
    .command('revoke-key')
    .description('delete a key of either kind, with every key that was made with it')
    .argument('<key>', KEY)
    .action(async (keyId: string) => {
      const { keyIds } = await powers(({ identity }) => identity.RevokeKey({ keyId }));
      if (keyIds.length === 0) warn('there is no such key: it was revoked before, or never made');
      print({ revoked: keyIds });
    });
  withExamples(command, 'revoke-key <id>');
}

export function addRevokeUserKeys(program: Command, { powers, print }: Tools): void {
  const command = program
    .command('revoke-user-keys')
    .description('delete all API keys of a user, and the registry keys that they made')
    .argument('<user>', USER)
    .action(async (userId: string) => {
      const { keyIds } = await known(
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
    .description('sign a user out of the portal and the console everywhere; keys go on')
    .argument('<user>', USER)
    .addOption(reasonOption())
    .action(async (userId: string, { reason }: { reason: string }) => {
      const { sessions } = await known(
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
    .description('let none of the credentials of a user be good; keys and bindings are kept')
    .argument('<user>', USER)
    .addOption(reasonOption())
    .action(async (userId: string, { reason }: { reason: string }) =>
      print(
        await known(
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
    .description('let the credentials of a user be good again')
    .argument('<user>', USER)
    .action(async (userId: string) =>
      print(
        await known(
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
    .description('take a user off their sales channel, with all roles')
    .argument('<user>', USER)
    .action(async (userId: string) => {
      const ended = await known(
        'user',
        powers(({ rbac }) => rbac.EndBinding({ userId })),
      );
      if (!ended.binding) warn('the user is bound to no sales channel');
      if (ended.wasLastAdministrator)
        warn('the sales channel has no ROLE_ADMINISTRATOR any more: make another user one with assign-roles');
      print({ unbound: ended.binding });
    });
  withExamples(command, 'unbind-user <id>');
}
