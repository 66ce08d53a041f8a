import { Migration } from '@mikro-orm/migrations';
import { roles } from '@saleschannel/auth';
import { outboxSchema } from '@saleschannel/messaging';

/** Sales channels, who is bound to which, and with what roles. A role that is added later needs a migration that renews the check. */
export class Migration20261121000001_rbac extends Migration {
  override up(): void {
    this.addSql(schema);
    this.addSql(outboxSchema);
  }
}

const schema = `
  create table sales_channel (
    id text primary key,
    name text not null check (length(name) between 1 and 200),
    created_at timestamptz(3) not null default clock_timestamp()
  );
  -- The primary key is the rule that a user is bound to one channel.
  create table binding (
    user_id text primary key,
    sales_channel_id text not null references sales_channel,
    created_at timestamptz(3) not null default clock_timestamp()
  );
  create index binding_of_sales_channel on binding (sales_channel_id);
  create table binding_role (
    user_id text not null references binding on delete cascade,
    role text not null check (role in (${roles.map((role) => `'${role}'`).join(', ')})),
    created_at timestamptz(3) not null default clock_timestamp(),
    primary key (user_id, role)
  );`;
