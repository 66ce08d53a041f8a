import { isRole, roles as allRoles, type Role } from '@saleschannel/auth';
import { InvalidArgumentError, type Command } from 'commander';
import { reasonOption, RequiredOption, requireKnown, withExamples, withUserOptions } from '../options.ts';
import type { Tools } from '../tools.ts';

interface Options {
  issuer: string;
  subject: string;
  salesChannel: string;
  roles: readonly Role[];
}

export function addAssignRoles(program: Command, { administration, print }: Tools): void {
  const command = withUserOptions(program.command('assign-roles'))
    .description('bind a user to a sales channel and grant them further roles')
    .addOption(new RequiredOption('--sales-channel <id>', 'id of the sales channel'))
    .addOption(
      new RequiredOption('--roles <list>', '"all", or a list such as ROLE_ADMINISTRATOR,EVENT_VIEWER').argParser(
        rolesOption,
      ),
    )
    .action(async ({ salesChannel: salesChannelId, ...request }: Options) => {
      const binding = administration((admin) => admin.assignRoles({ ...request, salesChannelId }));
      // Unknown users are created, so `not-found` means the channel.
      print(await requireKnown('sales channel (--sales-channel)', binding));
    });
  withExamples(
    command,
    'assign-roles --issuer https://id.example --subject anna --sales-channel <id> --roles all',
    'assign-roles --issuer https://id.example --subject bert --sales-channel <id> --roles TRADER_VIEWER,EVENT_VIEWER',
  );
}

/** @throws InvalidArgumentError */
function rolesOption(list: string): readonly Role[] {
  if (list === 'all') return allRoles;
  return list.split(',').map((item) => {
    const role = item.trim();
    if (!isRole(role)) throw new InvalidArgumentError(`"${role}" is not a role. The roles are ${allRoles.join(', ')}.`);
    return role;
  });
}

const USER = 'id of the user, as "list users" shows it';

export function addEndSessions(program: Command, { powers, print }: Tools): void {
  const command = program
    .command('end-sessions')
    .description('end all sessions of a user in the portal and the console; keys stay valid')
    .argument('<user>', USER)
    .addOption(reasonOption())
    .action(async (userId: string, { reason }: { reason: string }) => {
      const ending = powers(({ identity }) => identity.EndUserSessions({ userId, reason }));
      const { sessions } = await requireKnown('user', ending);
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
    .action(async (userId: string, { reason }: { reason: string }) => {
      const disabled = powers(({ identity }) => identity.DisableUser({ userId, reason }));
      print(await requireKnown('user', disabled));
    });
  withExamples(command, 'disable-user <id> --reason "left the company"');
}

export function addEnableUser(program: Command, { powers, print }: Tools): void {
  const command = program
    .command('enable-user')
    .description('accept the credentials of a user again')
    .argument('<user>', USER)
    .action(async (userId: string) => {
      const enabled = powers(({ identity }) => identity.EnableUser({ userId }));
      print(await requireKnown('user', enabled));
    });
  withExamples(command, 'enable-user <id>');
}

export function addUnbindUser(program: Command, { powers, print, warn }: Tools): void {
  const command = program
    .command('unbind-user')
    .description('remove a user from their sales channel, with all roles')
    .argument('<user>', USER)
    .action(async (userId: string) => {
      const ending = powers(({ rbac }) => rbac.EndBinding({ userId }));
      const ended = await requireKnown('user', ending);
      if (!ended.binding) warn('The user has no sales channel.');
      if (ended.wasLastAdministrator)
        warn('The sales channel no longer has a ROLE_ADMINISTRATOR. Give the role to another user with assign-roles.');
      print({ unbound: ended.binding });
    });
  withExamples(command, 'unbind-user <id>');
}
