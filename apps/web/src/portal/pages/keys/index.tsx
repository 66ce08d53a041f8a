import { useState } from 'react';
import { formatDateTime, daysBetween } from '../../../shared/format/time.ts';
import { translate } from '../../../shared/i18n/messages.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { Page, Status, Table, type TableColumn } from '../../../shared/ui/page.tsx';
import { Empty, Read } from '../../../shared/ui/state.tsx';
import { keyName, creatorName, useKeys, WARN_DAYS, type Key, type Kind } from '../../keys/keys.ts';
import { useMe } from '../../me.ts';
import { CreateKey, DeleteKey, NameKey, RotateKey } from './dialogs.tsx';

const text = translate({
  title: 'Keys',
  apiKeys: 'API keys',
  apiKeysAbout:
    'For programs that act as you. Use the key as user name and the secret as password of Basic authentication.',
  registryKeys: 'Registry keys',
  registryKeysAbout: 'For programs of the registry. A key acts for the account holder, not for you.',
  noApiKeys: 'You have no API keys.',
  noRegistryKeys: 'There are no registry keys.',
  id: 'Key',
  name: 'Name',
  noName: 'no name',
  created: 'Created, UTC',
  madeWith: 'Created with',
  lastUsed: 'Last used, UTC',
  never: 'never',
  expires: 'Expires, UTC',
  createApiKey: 'Create API key',
  createRegistryKey: 'Create registry key',
  create: 'Create key',
  act: 'Change',
  rename: 'Rename',
  renameOf: (key: string) => `Rename the key ${key}`,
  rotate: 'Rotate',
  rotateOf: (key: string) => `Rotate the key ${key}`,
  delete: 'Delete',
  deleteTitle: (key: string) => `Delete the key ${key}`,
  ended: 'expired',
  daysLeft: (days: number) =>
    days < 1 ? 'expires today' : days === 1 ? 'expires tomorrow' : `expires in ${days} days`,
});

function Expiry({ at }: { readonly at: string }) {
  const now = Date.now();
  const days = daysBetween(now, at);
  if (days >= WARN_DAYS) return formatDateTime(at);
  const hasEnded = Date.parse(at) <= now;
  return (
    <Status tone={days < 1 ? 'bad' : 'wait'}>
      {formatDateTime(at)}, {hasEnded ? text.ended : text.daysLeft(days)}
    </Status>
  );
}

const changes = { name: NameKey, rotate: RotateKey, delete: DeleteKey } as const;
type Change = keyof typeof changes;

interface OpenDialog {
  readonly shown: Key;
  readonly change: Change;
}

interface ColumnsProps {
  /** Both kinds, because a registry key may be created with an API key. */
  readonly keys: readonly Key[];
  /** Whether new keys of this kind can be created, which rotation requires. */
  readonly mayCreate: boolean;
  openDialog(dialog: OpenDialog): void;
}

const buildColumns = ({ keys, mayCreate, openDialog }: ColumnsProps): TableColumn<Key>[] => [
  { name: text.name, cell: ({ name }) => name ?? text.noName },
  { name: text.id, cell: ({ id }) => <code>{id}</code> },
  { name: text.created, cell: ({ createdOn }) => formatDateTime(createdOn) },
  { name: text.madeWith, wraps: true, cell: (key) => creatorName(key, keys) },
  { name: text.lastUsed, cell: ({ lastUsedOn }) => (lastUsedOn === null ? text.never : formatDateTime(lastUsedOn)) },
  { name: text.expires, cell: ({ expiresAt }) => <Expiry at={expiresAt} /> },
  {
    name: text.act,
    cell(shown) {
      const key = keyName(shown);
      return (
        <>
          <Button look="quiet" aria-label={text.renameOf(key)} onClick={() => openDialog({ shown, change: 'name' })}>
            {text.rename}
          </Button>
          {mayCreate && (
            <Button
              look="quiet"
              aria-label={text.rotateOf(key)}
              onClick={() => openDialog({ shown, change: 'rotate' })}
            >
              {text.rotate}
            </Button>
          )}
          <Button
            look="quiet"
            aria-label={text.deleteTitle(key)}
            onClick={() => openDialog({ shown, change: 'delete' })}
          >
            {text.delete}
          </Button>
        </>
      );
    },
  },
];

interface KeysProps {
  readonly kind: Kind;
  /** Both kinds. */
  readonly keys: readonly Key[];
  /** Only registries create registry keys. */
  readonly mayCreate: boolean;
}

function Keys({ kind, keys, mayCreate }: KeysProps) {
  const rows = keys.filter((key) => key.kind === kind);
  const [isCreating, setCreating] = useState(false);
  const [dialog, setDialog] = useState<OpenDialog>();
  const isApi = kind === 'API';
  const createTitle = isApi ? text.createApiKey : text.createRegistryKey;
  const create = mayCreate && (
    <Button look="primary" onClick={() => setCreating(true)}>
      {createTitle}
    </Button>
  );
  const ChangeDialog = dialog && changes[dialog.change];
  return (
    <section>
      <h2>{isApi ? text.apiKeys : text.registryKeys}</h2>
      <p>{isApi ? text.apiKeysAbout : text.registryKeysAbout}</p>
      {rows.length === 0 ? (
        <Empty action={create}>{isApi ? text.noApiKeys : text.noRegistryKeys}</Empty>
      ) : (
        <>
          <p>{create}</p>
          <Table
            label={isApi ? text.apiKeys : text.registryKeys}
            columns={buildColumns({ keys, mayCreate, openDialog: setDialog })}
            rows={rows}
            keyOf={({ id }) => id}
          />
        </>
      )}
      {isCreating && (
        <CreateKey
          kind={kind}
          title={createTitle}
          action={text.create}
          onCopied={() => setCreating(false)}
          onClose={() => setCreating(false)}
        />
      )}
      {ChangeDialog && <ChangeDialog shown={dialog.shown} onClose={() => setDialog(undefined)} />}
    </section>
  );
}

export default function KeysPage() {
  const { data: me } = useMe();
  return (
    <Page title={text.title}>
      <Read of={useKeys()}>
        {(keys) => (
          <>
            <Keys kind="API" keys={keys} mayCreate />
            {me?.accountHolder && <Keys kind="REGISTRY" keys={keys} mayCreate={me.accountHolder.kind === 'REGISTRY'} />}
          </>
        )}
      </Read>
    </Page>
  );
}
