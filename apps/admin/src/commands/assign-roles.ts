import { isRole, roles as allRoles, type Role } from '@saleschannel/auth';
import { subjectOf, subjectOptions, UsageError, type Command } from './command.ts';

/** @throws UsageError */
function rolesOf(text: string): readonly Role[] {
  if (text === 'all') return allRoles;
  return text.split(',').map((item) => {
    const role = item.trim();
    if (!isRole(role)) throw new UsageError(`--roles: "${role}" is no role; there are ${allRoles.join(', ')}`);
    return role;
  });
}

export const assignRoles: Command = {
  name: 'assign-roles',
  description: 'bind a user to a sales channel and add roles to those he has',
  options: {
    ...subjectOptions,
    'sales-channel': { description: 'id of the sales channel', value: 'id', required: true },
    roles: { description: 'all, or a list such as ROLE_ADMINISTRATOR,EVENT_VIEWER', value: 'list', required: true },
  },
  notFound: 'there is no such sales channel (--sales-channel)',
  run(input, { administration }) {
    const roles = rolesOf(input.text('roles'));
    return administration((admin) =>
      admin.assignRoles({ ...subjectOf(input), salesChannelId: input.text('sales-channel'), roles }),
    );
  },
};
