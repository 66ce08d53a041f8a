import { groupFaults } from '../../../shared/api/problem.ts';
import { formatDay } from '../../../shared/format/time.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { readText } from '../../../shared/ui/form-text.ts';
import { Select, Field, Form } from '../../../shared/ui/form.tsx';
import { Facts } from '../../../shared/ui/page.tsx';
import { Copy } from '../../../shared/ui/secret.tsx';
import { Failure } from '../../../shared/ui/state.tsx';
import { toDay, checkEmbargo } from '../../transactions/embargo.ts';
import { useUpdateStatement, type Detail, type Settings } from './detail.ts';
import { text } from './text.ts';

const HIDDEN = '/beneficiaryHiddenUntil';
const PUBLICATION = '/publication';

/** An embargo cannot change after it has ended. */
const isHidden = ({ beneficiaryHiddenUntil: until }: Settings): boolean =>
  until !== null && Date.parse(until) > Date.now();

const isSameDay = (settings: Settings, dayText: string | undefined): boolean =>
  (settings.beneficiaryHiddenUntil === null ? undefined : formatDay(settings.beneficiaryHiddenUntil)) === dayText;

/** Sends an embargo only if its day changed, so that an end in the middle of a day keeps its time. */
function readChanges(form: FormData, settings: Settings) {
  const hiddenUntil = readText(form, 'hiddenUntil');
  return {
    publication: readText(form, 'publication') === 'PUBLIC' ? ('PUBLIC' as const) : ('LINK' as const),
    ...(!isHidden(settings) || isSameDay(settings, hiddenUntil)
      ? {}
      : { beneficiaryHiddenUntil: hiddenUntil === undefined ? null : `${hiddenUntil}T00:00:00.000Z` }),
  };
}

/** Public statement of a retirement: address, visibility and embargo. */
export function Statement({ detail, settings }: { readonly detail: Detail; readonly settings: Settings }) {
  const update = useUpdateStatement(detail.id);
  const check = (form: FormData): (readonly [string, string])[] => {
    const until = readText(form, 'hiddenUntil');
    if (until === undefined || isSameDay(settings, until)) return [];
    const fault = checkEmbargo(until, formatDay(detail.completedAt ?? detail.createdAt), toDay(Date.now()));
    return fault === undefined ? [] : [['hiddenUntil', fault]];
  };
  const { atFields, others } = groupFaults(update.error, [HIDDEN, PUBLICATION]);
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
        check={check}
        onSubmit={(form) => update.mutate(readChanges(form, settings))}
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
        <Select
          label={text.publication}
          hint={text.publicationHint}
          name="publication"
          fault={atFields.get(PUBLICATION)}
          defaultValue={settings.publication}
          onChange={update.reset}
        >
          {settings.publication === 'LINK' && <option value="LINK">{text.LINK}</option>}
          <option value="PUBLIC">{text.PUBLIC}</option>
        </Select>
        {isHidden(settings) && (
          <Field
            label={text.hiddenUntil}
            hint={text.hiddenUntilHint}
            fault={atFields.get(HIDDEN)}
            name="hiddenUntil"
            type="date"
            defaultValue={
              settings.beneficiaryHiddenUntil === null ? undefined : formatDay(settings.beneficiaryHiddenUntil)
            }
            onChange={update.reset}
          />
        )}
        {update.error && atFields.size + others.length === 0 && <Failure error={update.error} />}
      </Form>
    </section>
  );
}
