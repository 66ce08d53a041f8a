import { InvalidArgumentError, type Command } from 'commander';
import { isRole, roles as allRoles, type Role } from '@saleschannel/auth';
import { DomainError } from '@saleschannel/errors';
import { RequiredOption, withExamples, withUserOptions } from '../options.ts';
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
      print(await binding.catch(throwUnknownChannel));
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

/** `not-found` means the channel, because unknown users are created. */
function throwUnknownChannel(error: unknown): never {
  if (!(error instanceof DomainError) || error.code !== 'not-found') throw error;
  throw new Error('There is no such sales channel (--sales-channel).', { cause: error });
}
