import { faultsOf } from '../../../shared/api/problem.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { Dialog } from '../../../shared/ui/dialog.tsx';
import { textOf } from '../../../shared/ui/form-text.ts';
import { Field, Form } from '../../../shared/ui/form.tsx';
import { Secret } from '../../../shared/ui/secret.tsx';
import { Failure } from '../../../shared/ui/state.tsx';
import type { Kind } from '../../keys/keys.ts';
import { useCreateKey, type NewKey } from './keys.ts';
import { text } from './text.ts';

const DAY_MS = 86_400_000;
const USUAL_DAYS = 365;
const NAME_AT_MOST = 100;

const dayIn = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);

interface MadeProps {
  readonly created: NewKey;
  /** What there is to do when it is copied. */
  onCopied(): void;
}

/** The secret, once. Not closed by Escape. */
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

/** Asks what the new key needs, makes it, and shows its secret once. */
export function CreateKey({ kind, title, about, action, name, onCopied, onClose }: CreateKeyProps) {
  const creation = useCreateKey();
  if (creation.data) return <Made created={creation.data} onCopied={onCopied} />;
  const { atFields, others } = faultsOf(creation.error, ['/expiresAt']);
  const submit = (form: FormData): void => {
    const until = textOf(form, 'expiresAt') ?? dayIn(USUAL_DAYS);
    creation.mutate({ kind, name: textOf(form, 'name'), expiresAt: `${until}T00:00:00Z` });
  };
  return (
    <Dialog title={title} actions={null} onClose={onClose}>
      <Form
        onSubmit={submit}
        faults={others}
        actions={
          <>
            <Button onClick={onClose}>{text.cancel}</Button>
            <Button type="submit" look="primary" busy={creation.isPending}>
              {action}
            </Button>
          </>
        }
      >
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
            fault={atFields.get('/expiresAt')}
            name="expiresAt"
            type="date"
            required
            defaultValue={dayIn(USUAL_DAYS)}
          />
        )}
        {creation.error && atFields.size + others.length === 0 && <Failure error={creation.error} />}
      </Form>
    </Dialog>
  );
}
