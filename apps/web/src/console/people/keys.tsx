import { useState } from 'react';
import { unwrapData } from '../../shared/api/client.ts';
import { formatDateTime } from '../../shared/format/time.ts';
import { translate } from '../../shared/i18n/messages.ts';
import { ActionDialog, type DialogAction } from '../../shared/ui/action-dialog.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { Grid, type Column } from '../../shared/ui/grid.tsx';
import { Status } from '../../shared/ui/page.tsx';
import { useCursorSource } from '../../shared/ui/row-source.ts';
import { Empty } from '../../shared/ui/state.tsx';
import { operations, PAGE_SIZE, type Schemas } from '../api.ts';
import styles from '../console.module.css';

const text = translate({
  title: 'Keys',
  id: 'Key',
  kind: 'Kind',
  API: 'API key',
  REGISTRY: 'Registry key',
  created: 'Created, UTC',
  expires: 'Expires, UTC',
  madeWith: 'Created with',
  act: 'Action',
  none: 'There are no keys.',
  ended: 'expired',
  revoke: 'Revoke',
  revokeTitle: (id: string) => `Revoke the key ${id}`,
  revokeWhy: 'The key is deleted together with every key that was created with it. Programs that use them are refused.',
  revokeAll: 'Revoke all keys',
  revokeAllTitle: 'Revoke all keys of this user',
  revokeAllWhy: 'All API keys of the user and all registry keys that the user created are deleted.',
  revoked: (count: number) => (count === 1 ? '1 key was deleted.' : `${count} keys were deleted.`),
});

type Key = Schemas['Key'];
type Revoked = Schemas['RevokedKeys'];

const keysKey = ['keys'];

const revocation = {
  isIrreversible: true,
  look: 'danger',
  changes: [keysKey],
  renderResult: ({ keyIds }: Revoked) => text.revoked(keyIds.length),
} as const;

const revoke = ({ id: keyId }: Key): DialogAction<Revoked> => ({
  ...revocation,
  title: text.revokeTitle(keyId),
  description: text.revokeWhy,
  button: text.revoke,
  send: () => unwrapData(operations.DELETE('/keys/{keyId}', { params: { path: { keyId } } })),
});

const revokeAll = (userId: string): DialogAction<Revoked> => ({
  ...revocation,
  title: text.revokeAllTitle,
  description: text.revokeAllWhy,
  button: text.revokeAll,
  send: () => unwrapData(operations.DELETE('/users/{userId}/keys', { params: { path: { userId } } })),
});

const buildColumns = (act: (act: DialogAction<Revoked>) => void): readonly Column<Key>[] => [
  { name: text.kind, width: '6.5rem', cell: ({ kind }) => text[kind] },
  { name: text.id, width: 'minmax(13.5rem, 1fr)', isMono: true, cell: ({ id }) => id },
  { name: text.created, width: '8.5rem', cell: ({ createdOn }) => formatDateTime(createdOn) },
  {
    name: text.expires,
    width: '11rem',
    cell: ({ expiresAt }) =>
      Date.parse(expiresAt) > Date.now() ? (
        formatDateTime(expiresAt)
      ) : (
        <Status tone="bad">
          {formatDateTime(expiresAt)}, {text.ended}
        </Status>
      ),
  },
  { name: text.madeWith, width: '13.5rem', isMono: true, cell: ({ madeWithKeyId }) => madeWithKeyId },
  {
    name: text.act,
    width: '5rem',
    cell: (key) => (
      <Button look="quiet" aria-label={text.revokeTitle(key.id)} onClick={() => act(revoke(key))}>
        {text.revoke}
      </Button>
    ),
  },
];

type KeyOwner = { readonly userId: string } | { readonly accountHolderId: string };

/** Lists and revokes keys of a user or an account holder. */
export function Keys({ of }: { readonly of: KeyOwner }) {
  const [act, setAct] = useState<DialogAction<Revoked>>();
  const source = useCursorSource<Key>({
    queryKey: [...keysKey, of],
    fetchPage: ({ after, signal }) => {
      const query = { ...of, limit: PAGE_SIZE, ...(after !== undefined && { after }) };
      return unwrapData(operations.GET('/keys', { signal, params: { query } }));
    },
  });
  return (
    <section>
      <h2>{text.title}</h2>
      <Grid label={text.title} columns={buildColumns(setAct)} source={source} empty={<Empty>{text.none}</Empty>} />
      {'userId' in of && source.count > 0 && (
        <p className={styles['belowTable']}>
          <Button look="danger" onClick={() => setAct(revokeAll(of.userId))}>
            {text.revokeAll}
          </Button>
        </p>
      )}
      {act && <ActionDialog act={act} onClose={() => setAct(undefined)} />}
    </section>
  );
}
