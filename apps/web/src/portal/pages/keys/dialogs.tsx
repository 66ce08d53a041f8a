import { useState } from 'react';
import { formatDateTime } from '../../../shared/format/time.ts';
import { translate } from '../../../shared/i18n/messages.ts';
import { FormDialog } from '../../../shared/ui/action-dialog.tsx';
import { Button } from '../../../shared/ui/button.tsx';
import { ConfirmDialog, Dialog } from '../../../shared/ui/dialog.tsx';
import { readText } from '../../../shared/ui/form-text.ts';
import { Field } from '../../../shared/ui/form.tsx';
import { Secret } from '../../../shared/ui/page.tsx';
import { keyName, findDescendants, useKeys, type Key, type Kind } from '../../keys/keys.ts';
import { useCreateKey, useDeleteKey, useNameKey, type NewKey } from './keys.ts';

const text = translate({
  id: 'Key',
  secret: 'Secret',
  name: 'Name',
  nameHint: 'Helps you recognize the key, for example "Reporting job".',
  validUntil: 'Valid until',
  validUntilHint: 'At most two years from now. Create the next key before this one expires.',
  newKey: 'Key created',
  onlyOnce: 'The secret is shown only once. Copy it now.',
  notNamed: 'The key could not be named. Name it in the list.',
  copied: 'I have copied it',
  renameOf: (key: string) => `Rename the key ${key}`,
  saveName: 'Save name',
  rotateOf: (key: string) => `Rotate the key ${key}`,
  rotateWhy:
    'First, create a new key with the same name. The old key keeps working until you have given the new key to your ' +
    'programs and deleted the old key.',
  rotateCreate: 'Create new key',
  rotateNext: 'Now give the new key to your programs. Then delete the old key.',
  rotateKeep: 'Keep old key for now',
  rotateDelete: 'Delete old key',
  rotateDeleteOf: (key: string) => `Delete the old key ${key}`,
  deleteTitle: (key: string) => `Delete the key ${key}`,
  deleteWhy: 'Programs that use this key are refused immediately. This cannot be undone.',
  madeWithIt: (count: number) =>
    count === 1
      ? '1 key was created with it and keeps working.'
      : `${count} keys were created with it and keep working.`,
  deleteMade: (count: number) =>
    count === 1 ? 'Also delete the key created with it' : `Also delete the ${count} keys created with it`,
  lastUsedAt: (time: string) => `It was last used on ${time}, UTC.`,
  neverUsed: 'It was never used.',
  deleteKey: 'Delete key',
});

const DAY_MS = 86_400_000;
const USUAL_DAYS = 365;
const NAME_AT_MOST = 100;

const dayIn = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);

interface MadeProps {
  readonly created: NewKey;
  /** Called once the user has copied the secret. */
  onCopied(): void;
}

/** Shows the secret once. Escape does not close it. */
function Made({ created, onCopied }: MadeProps) {
  return (
    <Dialog
      title={text.newKey}
      actions={
        <Button look="primary" onClick={onCopied}>
          {text.copied}
        </Button>
      }
    >
      <p>{text.onlyOnce}</p>
      {created.name === null && <p>{text.notNamed}</p>}
      <Secret
        parts={[
          [text.id, created.id],
          [text.secret, created.secret],
        ]}
      />
    </Dialog>
  );
}

interface CreateKeyProps {
  readonly kind: Kind;
  readonly title: string;
  readonly about?: string;
  readonly action: string;
  readonly name?: string | null;
  onCopied(): void;
  onClose(): void;
}

/** Asks for the data of the new key, creates it and shows its secret once. */
export function CreateKey({ kind, title, about, action, name, onCopied, onClose }: CreateKeyProps) {
  const creation = useCreateKey();
  if (creation.data) return <Made created={creation.data} onCopied={onCopied} />;
  const submit = (form: FormData): void => {
    const until = readText(form, 'expiresAt') ?? dayIn(USUAL_DAYS);
    creation.mutate({ kind, name: readText(form, 'name'), expiresAt: `${until}T00:00:00Z` });
  };
  return (
    <FormDialog
      title={title}
      button={action}
      change={creation}
      pointers={['/expiresAt']}
      onSubmit={submit}
      onClose={onClose}
    >
      {(faultAt) => (
        <>
          {about !== undefined && <p>{about}</p>}
          <Field
            label={text.name}
            hint={text.nameHint}
            name="name"
            maxLength={NAME_AT_MOST}
            defaultValue={name ?? undefined}
          />
          {kind === 'REGISTRY' && (
            <Field
              label={text.validUntil}
              hint={text.validUntilHint}
              fault={faultAt('/expiresAt')}
              name="expiresAt"
              type="date"
              required
              defaultValue={dayIn(USUAL_DAYS)}
            />
          )}
        </>
      )}
    </FormDialog>
  );
}

interface ChangeProps {
  readonly shown: Key;
  onClose(): void;
}

export function NameKey({ shown, onClose }: ChangeProps) {
  const naming = useNameKey(shown.id);
  return (
    <FormDialog
      title={text.renameOf(keyName(shown))}
      button={text.saveName}
      change={naming}
      pointers={['/name']}
      onSubmit={(form) => naming.mutate(readText(form, 'name') ?? null, { onSuccess: onClose })}
      onClose={onClose}
    >
      {(faultAt) => (
        <Field
          label={text.name}
          hint={text.nameHint}
          name="name"
          maxLength={NAME_AT_MOST}
          defaultValue={shown.name ?? undefined}
          fault={faultAt('/name')}
        />
      )}
    </FormDialog>
  );
}

interface DeleteProps extends ChangeProps {
  readonly title: string;
  readonly action: string;
  readonly cancel?: string;
  readonly about?: string;
}

function Deletion({ shown, title, action, cancel, about, onClose }: DeleteProps) {
  const deletion = useDeleteKey();
  const [descendants, setDescendants] = useState(false);
  const { data: keys = [] } = useKeys();
  const count = findDescendants(shown, keys).length;
  return (
    <ConfirmDialog
      title={title}
      look="danger"
      button={action}
      cancel={cancel}
      change={deletion}
      onConfirm={() => deletion.mutate({ ...shown, descendants }, { onSuccess: () => onClose() })}
      onClose={onClose}
    >
      {about !== undefined && <p>{about}</p>}
      <p>{text.deleteWhy}</p>
      {count > 0 && (
        <>
          {!descendants && <p>{text.madeWithIt(count)}</p>}
          <label>
            <input type="checkbox" checked={descendants} onChange={() => setDescendants(!descendants)} />{' '}
            {text.deleteMade(count)}
          </label>
        </>
      )}
      <p>{shown.lastUsedOn === null ? text.neverUsed : text.lastUsedAt(formatDateTime(shown.lastUsedOn))}</p>
    </ConfirmDialog>
  );
}

export const DeleteKey = (props: ChangeProps) => (
  <Deletion {...props} title={text.deleteTitle(keyName(props.shown))} action={text.deleteKey} />
);

/** Creates the new key before deleting the old key, so that a valid key always exists. */
export function RotateKey({ shown, onClose }: ChangeProps) {
  const [isMade, setMade] = useState(false);
  const title = text.rotateOf(keyName(shown));
  if (!isMade) {
    return (
      <CreateKey
        kind={shown.kind}
        title={title}
        about={text.rotateWhy}
        action={text.rotateCreate}
        name={shown.name}
        onCopied={() => setMade(true)}
        onClose={onClose}
      />
    );
  }
  return (
    <Deletion
      shown={shown}
      title={text.rotateDeleteOf(shown.id)}
      about={text.rotateNext}
      action={text.rotateDelete}
      cancel={text.rotateKeep}
      onClose={onClose}
    />
  );
}
