import { useState } from 'react';
import { dateTime, daysBetween } from '../../../shared/format/time.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { Dialog } from '../../../shared/ui/dialog.tsx';
import { Page, Table, type TableColumn } from '../../../shared/ui/page.tsx';
import { Empty, Failure, Read } from '../../../shared/ui/state.tsx';
import { Status } from '../../../shared/ui/status.tsx';
import { useMe } from '../../me.ts';
import { CreateKey } from './create-key.tsx';
import { useDeleteKey, useKeys, type Key, type Kind } from './keys.ts';
import { text } from './text.ts';

/** From then on it is said that a key ends. */
const WARN_DAYS = 30;

function Expiry({ at }: { readonly at: string }) {
  const days = daysBetween(Date.now(), at);
  if (days >= WARN_DAYS) return dateTime(at);
  return (
    <Status tone={days < 1 ? 'bad' : 'wait'}>
      {dateTime(at)}, {text.daysLeft(days)}
    </Status>
  );
}

function DeleteKey({ kind, id, onClose }: { readonly kind: Kind; readonly id: string; onClose(): void }) {
  const deletion = useDeleteKey(kind);
  return (
    <Dialog
      title={text.deleteTitle(id)}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{text.cancel}</Button>
          <Button
            look="danger"
            busy={deletion.isPending}
            onClick={() => deletion.mutate(id, { onSuccess: () => onClose() })}
          >
            {text.deleteKey}
          </Button>
        </>
      }
    >
      <p>{text.deleteWhy}</p>
      {deletion.error && <Failure error={deletion.error} />}
    </Dialog>
  );
}

const columnsFor = (remove: (id: string) => void): TableColumn<Key>[] => [
  { name: text.id, cell: ({ id }) => <code>{id}</code> },
  { name: text.created, cell: ({ createdOn }) => dateTime(createdOn) },
  { name: text.expires, cell: ({ expiresAt }) => <Expiry at={expiresAt} /> },
  {
    name: text.delete,
    cell: ({ id }) => (
      <Button look="quiet" aria-label={text.deleteTitle(id)} onClick={() => remove(id)}>
        {text.delete}
      </Button>
    ),
  },
];

interface KeysProps {
  readonly kind: Kind;
  /** Only a registry gets new registry keys. */
  readonly mayCreate: boolean;
}

function Keys({ kind, mayCreate }: KeysProps) {
  const keys = useKeys(kind);
  const [isCreating, setCreating] = useState(false);
  const [deleted, setDeleted] = useState<string>();
  const isApi = kind === 'api';
  const create = mayCreate && (
    <Button look="primary" onClick={() => setCreating(true)}>
      {isApi ? text.createApiKey : text.createRegistryKey}
    </Button>
  );
  return (
    <section>
      <h2>{isApi ? text.apiKeys : text.registryKeys}</h2>
      <p>{isApi ? text.apiKeysAbout : text.registryKeysAbout}</p>
      <Read of={keys}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty action={create}>{isApi ? text.noApiKeys : text.noRegistryKeys}</Empty>
          ) : (
            <>
              <Table
                label={isApi ? text.apiKeys : text.registryKeys}
                columns={columnsFor(setDeleted)}
                rows={rows}
                keyOf={({ id }) => id}
              />
              <p>{create}</p>
            </>
          )
        }
      </Read>
      {isCreating && <CreateKey kind={kind} onClose={() => setCreating(false)} />}
      {deleted !== undefined && <DeleteKey kind={kind} id={deleted} onClose={() => setDeleted(undefined)} />}
    </section>
  );
}

export default function KeysPage() {
  const { data: me } = useMe();
  return (
    <Page title={text.title}>
      <Keys kind="api" mayCreate />
      {me?.accountHolder && <Keys kind="registry" mayCreate={me.accountHolder.kind === 'REGISTRY'} />}
    </Page>
  );
}
