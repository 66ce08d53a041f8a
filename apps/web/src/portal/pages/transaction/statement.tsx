import { faultsOf } from '../../../shared/api/problem.ts';
import { day } from '../../../shared/format/time.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { textOf } from '../../../shared/ui/form-text.ts';
import { Choice, Field, Form } from '../../../shared/ui/form.tsx';
import { Facts } from '../../../shared/ui/page.tsx';
import { Copy } from '../../../shared/ui/secret.tsx';
import { Failure } from '../../../shared/ui/state.tsx';
import { useUpdateStatement, type Settings } from './detail.ts';
import { text } from './text.ts';

const HIDDEN = '/beneficiaryHiddenUntil';
const PUBLICATION = '/publication';

const isDayOf = (settings: Settings, dayText: string | undefined): boolean =>
  (settings.beneficiaryHiddenUntil === null ? undefined : day(settings.beneficiaryHiddenUntil)) === dayText;

/** Only what was changed: an end within a day stays what it is. */
function changesIn(form: FormData, settings: Settings) {
  const hiddenUntil = textOf(form, 'hiddenUntil');
  return {
    publication: textOf(form, 'publication') === 'PUBLIC' ? ('PUBLIC' as const) : ('LINK' as const),
    ...(isDayOf(settings, hiddenUntil)
      ? {}
      : { beneficiaryHiddenUntil: hiddenUntil === undefined ? null : `${hiddenUntil}T00:00:00.000Z` }),
  };
}

/** The public statement of a retirement: where it is, who may see it, and from when on whole. */
export function Statement({
  transactionId,
  settings,
}: {
  readonly transactionId: string;
  readonly settings: Settings;
}) {
  const update = useUpdateStatement(transactionId);
  const { atFields, others } = faultsOf(update.error, [HIDDEN, PUBLICATION]);
  const path = `/r/${settings.id}`;
  return (
    <section>
      <h2>{text.statement}</h2>
      <Facts
        of={[
          [
            text.statementId,
            <span key="id">
              <a href={path} aria-label={`${text.open} ${path}`}>
                {path}
              </a>{' '}
              <Copy label={text.copyLink} value={new URL(path, window.location.origin).href} />
            </span>,
          ],
        ]}
      />
      <Form
        onSubmit={(form) => update.mutate(changesIn(form, settings))}
        faults={others}
        actions={
          <>
            <Button type="submit" busy={update.isPending}>
              {text.save}
            </Button>
            <span role="status">{update.isSuccess && text.saved}</span>
          </>
        }
      >
        <Choice
          label={text.publication}
          name="publication"
          fault={atFields.get(PUBLICATION)}
          defaultValue={settings.publication}
          onChange={update.reset}
        >
          <option value="LINK">{text.LINK}</option>
          <option value="PUBLIC">{text.PUBLIC}</option>
        </Choice>
        <Field
          label={text.hiddenUntil}
          hint={text.hiddenUntilHint}
          fault={atFields.get(HIDDEN)}
          name="hiddenUntil"
          type="date"
          defaultValue={settings.beneficiaryHiddenUntil === null ? undefined : day(settings.beneficiaryHiddenUntil)}
          onChange={update.reset}
        />
        {update.error && atFields.size + others.length === 0 && <Failure error={update.error} />}
      </Form>
    </section>
  );
}
