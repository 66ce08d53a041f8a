import { faultsOf } from '../../../shared/api/problem.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { Dialog } from '../../../shared/ui/dialog.tsx';
import { textOf } from '../../../shared/ui/form-text.ts';
import { Field, Form } from '../../../shared/ui/form.tsx';
import { Secret } from '../../../shared/ui/secret.tsx';
import { Failure } from '../../../shared/ui/state.tsx';
import { useCreateKey, type Kind, type NewKey } from './keys.ts';
import { text } from './text.ts';

const DAY_MS = 86_400_000;
const USUAL_DAYS = 365;

const dayIn = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);

function Made({ created, onClose }: { readonly created: NewKey; onClose(): void }) {
  return (
    <Dialog
      title={text.newKey}
      actions={
        <Button look="primary" onClick={onClose}>
          {text.copied}
        </Button>
      }
    >
      <p>{text.onlyOnce}</p>
      <Secret
        parts={[
          [text.id, created.id],
          [text.secret, created.secret],
        ]}
      />
    </Dialog>
  );
}

/** Asks what the new key needs, makes it, and shows its secret once. Not closed by Escape then. */
export function CreateKey({ kind, onClose }: { readonly kind: Kind; onClose(): void }) {
  const creation = useCreateKey(kind);
  if (creation.data) return <Made created={creation.data} onClose={onClose} />;
  const { atFields, others } = faultsOf(creation.error, ['/expiresAt']);
  const submit = (form: FormData): void => {
    const day = textOf(form, 'expiresAt');
    if (kind === 'api') creation.mutate({ kind });
    else if (day !== undefined) creation.mutate({ kind, expiresAt: `${day}T00:00:00Z` });
  };
  return (
    <Dialog title={kind === 'api' ? text.createApiKey : text.createRegistryKey} actions={null} onClose={onClose}>
      <Form
        onSubmit={submit}
        faults={others}
        actions={
          <>
            <Button onClick={onClose}>{text.cancel}</Button>
            <Button type="submit" look="primary" busy={creation.isPending}>
              {text.create}
            </Button>
          </>
        }
      >
        {kind === 'registry' && (
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
