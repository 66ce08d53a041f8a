import { statementCheck, type DatabaseCheck } from './database-check.ts';
import { recorded } from './trail.ts';

/** Replays rights, keys, approval and suspensions from the audit trail and compares them with the tables. */

/** Selects the last event with these actions for each subject. */
const selectLast = (scopes: string, ...actions: string[]): string => `
  select distinct on (subject) subject, action, after from recorded
  where action in (${actions.map((action) => `'${action}'`).join(', ')}) and ${scopes}
  order by subject, sequence desc`;

const suspensions: readonly DatabaseCheck[] = [
  statementCheck('holder-consent', 'registry-import', {
    about: 'Approval, kind and suspension of an account holder match the audit trail',
    rows: 'from account_holder',
    violations: `
      with ${recorded}, consent as (
        ${selectLast(
          "scope = 'registry'",
          'registry-import.account-holder.created',
          'registry-import.account-holder.updated',
        )}
      ), standing as (
        ${selectLast(
          "scope = 'registry'",
          'registry-import.account-holder.kind-set',
          'registry-import.account-holder.suspended',
          'registry-import.account-holder.resumed',
        )}
      ), today as (
        select *, case when suspended_at is null then 'ACTIVE' else 'SUSPENDED' end as status,
          registered_on >= (select since from trail) as is_recorded
        from account_holder
      )
      select id, format('approval %s, recorded %s; %s %s, recorded %s', auto_approval, consent.after ->> 'autoApproval',
        kind, status, standing.after) as detail
      from today left join consent on consent.subject = id left join standing on standing.subject = id
      where (consent.after ->> 'autoApproval')::boolean <> auto_approval
        or consent.subject is null and is_recorded
        or (standing.after ->> 'kind', standing.after ->> 'status') <> (kind, status)
        or standing.subject is null and is_recorded and (kind, status) <> ('HOLDER', 'ACTIVE')`,
  }),
  statementCheck('channel-standing', 'rbac', {
    about: 'The suspension or closure of a sales channel matches the audit trail',
    rows: 'from sales_channel',
    violations: `
      with ${recorded}, standing as (
        ${selectLast(
          "scope = 'installation'",
          'rbac.sales-channel.suspended',
          'rbac.sales-channel.resumed',
          'rbac.sales-channel.replaced',
          'rbac.sales-channel.closed',
        )}
      )
      select id, format('suspended %s, closed %s, recorded %s', suspended_at, closed_at, action) as detail
      from sales_channel left join standing on subject = id
      where coalesce(action, 'rbac.sales-channel.resumed') = 'rbac.sales-channel.resumed'
          and suspended_at >= (select since from trail)
        or action <> 'rbac.sales-channel.resumed' and suspended_at is null
        or (coalesce(action, '') = 'rbac.sales-channel.closed') <> (closed_at is not null)`,
  }),
  statementCheck('closed-channels', 'rbac', {
    about: 'A closed sales channel is suspended and has no users or open invitations',
    rows: 'from sales_channel',
    violations: `
      select id, format('suspended %s, users %s, open invitations %s', suspended_at, users, invitations) as detail
      from sales_channel
      cross join lateral (select count(*) as users from binding where sales_channel_id = sales_channel.id) as bound
      cross join lateral (
        select count(*) as invitations from invitation
        where sales_channel_id = sales_channel.id and accepted_at is null and revoked_at is null
          and expires_at > sales_channel.closed_at
      ) as invited
      where closed_at is not null and (suspended_at is null or users > 0 or invitations > 0)`,
  }),
  statementCheck('user-standing', 'identity', {
    about: 'The disabled state and account holder of a user match the audit trail',
    rows: 'from app_user',
    violations: `
      with ${recorded}, standing as (
        ${selectLast("scope = 'installation'", 'identity.user.disabled', 'identity.user.enabled')}
      ), holder as (
        ${selectLast("scope = 'installation'", 'identity.user.account-holder-set')}
      )
      select id, format('disabled %s, recorded %s; account holder %s, recorded %s', disabled_at, standing.action,
        account_holder_id, holder.after ->> 'accountHolderId') as detail
      from app_user left join standing on standing.subject = id left join holder on holder.subject = id
      where standing.action = 'identity.user.disabled' and disabled_at is null
        or standing.action is distinct from 'identity.user.disabled' and disabled_at >= (select since from trail)
        or holder.subject is not null and holder.after ->> 'accountHolderId' is distinct from account_holder_id
        or holder.subject is null and account_holder_id is not null and created_at >= (select since from trail)`,
  }),
];

const rights: readonly DatabaseCheck[] = [
  statementCheck('recorded-roles', 'rbac', {
    about: 'The roles of users match those granted and removed in the audit trail',
    rows: 'from binding_role',
    violations: `
      with ${recorded}, act as (
        select scope, subject as user_id, sequence, action = 'rbac.role.granted' as is_granted,
          coalesce(after ->> 'role', before ->> 'role') as role
        from recorded where action in ('rbac.role.granted', 'rbac.role.removed')
        union all
        select scope, subject, sequence, false, jsonb_array_elements_text(before -> 'roles')
        from recorded where action = 'rbac.user.unbound'
      ), granted as (
        select user_id, scope as sales_channel_id, role, true as is_granted from (
          select distinct on (scope, user_id, role) * from act where scope not in ('registry', 'installation')
          order by scope, user_id, role, sequence desc
        ) as newest where is_granted
      ), held as (
        select user_id, sales_channel_id, role, binding_role.created_at
        from binding_role join binding using (user_id)
      )
      select user_id || '/' || sales_channel_id as id,
        format('%s was %s', role, case when is_granted then 'granted and is missing' else 'never granted' end) as detail
      from granted full join held using (user_id, sales_channel_id, role)
      where created_at is null or is_granted is null and created_at >= (select since from trail)`,
  }),
  statementCheck('recorded-keys', 'identity', {
    about: 'The keys match those created and deleted in the audit trail',
    rows: 'from (select from api_key union all select from registry_key) as key',
    violations: `
      with ${recorded}, act as (
        select subject as id, bool_or(action like '%deleted') as is_deleted,
          bool_or(action like '%created') as is_created
        from recorded
        where action in ('identity.api-key.created', 'identity.api-key.deleted', 'identity.registry-key.created',
          'identity.registry-key.deleted')
        group by subject
      ), held as (
        select id, created_at from api_key union all select id, created_at from registry_key
      )
      select id, case when created_at is null then 'was created and not deleted, but does not exist'
        when is_deleted then 'was deleted but exists' else 'exists but was never created' end as detail
      from act full join held using (id)
      where is_deleted and created_at is not null
        or is_created and not is_deleted and created_at is null
        or is_created is null and created_at >= (select since from trail)`,
  }),
];

export const rightChecks: readonly DatabaseCheck[] = [...suspensions, ...rights];
