import { query, type Database, type EntityManager } from '@saleschannel/database';
import { newId } from '@saleschannel/primitives';

export interface UserRow {
  id: string;
  issuer: string;
  subject: string;
  accountHolderId: string | null;
}

const COLUMNS = 'id, issuer, subject, account_holder_id as "accountHolderId"';

export async function findUser(em: EntityManager, id: string): Promise<UserRow | undefined> {
  const [row] = await query<UserRow>(em, `select ${COLUMNS} from app_user where id = ?`, [id]);
  return row;
}

const findUserBySubject = async (em: EntityManager, issuer: string, subject: string): Promise<UserRow | undefined> => {
  const [row] = await query<UserRow>(em, `select ${COLUMNS} from app_user where issuer = ? and subject = ?`, [
    issuer,
    subject,
  ]);
  return row;
};

/** Finds the user, or makes him known; at the same time in many places, he is still made once. */
export async function ensureUser(database: Database, issuer: string, subject: string): Promise<UserRow> {
  const em = database.em();
  const known = await findUserBySubject(em, issuer, subject);
  if (known) return known;
  await query(
    em,
    'insert into app_user (id, issuer, subject) values (?, ?, ?) on conflict (issuer, subject) do nothing',
    [newId(), issuer, subject],
  );
  const made = await findUserBySubject(em, issuer, subject);
  if (!made) throw new Error('a user vanished: users are never deleted');
  return made;
}

/** @param accountHolderId null takes the user out of his account holder */
export async function updateAccountHolder(
  em: EntityManager,
  id: string,
  accountHolderId: string | null,
): Promise<UserRow | undefined> {
  const [row] = await query<UserRow>(
    em,
    `update app_user set account_holder_id = ? where id = ? returning ${COLUMNS}`,
    [accountHolderId, id],
  );
  return row;
}

/** Makes the creations of one user's keys wait for each other; false for an unknown user. */
export async function lockUser(em: EntityManager, id: string): Promise<boolean> {
  const rows = await query(em, 'select id from app_user where id = ? for no key update', [id]);
  return rows.length > 0;
}
