import { useQuery, useQueryClient, type UseMutationResult, type UseQueryResult } from '@tanstack/react-query';
import { api, createActivityHeaders, unwrapData, type Schemas } from '../../../shared/api/client.ts';
import { groupFaults } from '../../../shared/api/problem.ts';
import { useSubmission } from '../../../shared/api/queries.ts';
import { formatDay } from '../../../shared/format/time.ts';
import { translate } from '../../../shared/i18n/messages.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { readText } from '../../../shared/ui/form-text.ts';
import { Select, Field, Form } from '../../../shared/ui/form.tsx';
import { Facts, Copy } from '../../../shared/ui/page.tsx';
import { Failure } from '../../../shared/ui/state.tsx';
import { toDay, checkEmbargo } from '../../transactions/retirement.ts';

const text = translate({
  statement: 'Public statement',
  statementId: 'Statement',
  open: 'Open statement',
  copyLink: 'Copy link',
  publication: 'Visibility',
  publicationHint: 'A public statement stays public.',
  LINK: 'anyone with the link',
  PUBLIC: 'everyone, in the public register',
  hiddenUntil: 'Beneficiary and purpose hidden until',
  hiddenUntilHint: 'At most twelve months after the retirement. If empty, both are shown and stay visible.',
  save: 'Save visibility',
  saved: 'Saved.',
});

export type Detail = Schemas['TransactionDetail'];
type Settings = Schemas['StatementSettings'];

const PENDING_POLL_MS = 2_000;

const detailKey = (transactionId: string): readonly string[] => ['transaction', transactionId];

/** Details of a transaction, polled until it ends. */
export const useDetail = (transactionId: string): UseQueryResult<Detail> =>
  useQuery<Detail>({
    queryKey: detailKey(transactionId),
    refetchInterval: ({ state: { data } }) => (data?.status === 'PENDING' ? PENDING_POLL_MS : false),
    queryFn: ({ signal, ...asked }) =>
      unwrapData(
        api.GET('/saleschannel-services/v1/transactions/{transactionId}/detail', {
          signal,
          headers: createActivityHeaders(asked),
          params: { path: { transactionId } },
        }),
      ),
  });

const useUpdateStatement = (transactionId: string): UseMutationResult<Settings, Error, Schemas['StatementPatch']> => {
  const queries = useQueryClient();
  return useSubmission({
    mutationFn: (body: Schemas['StatementPatch']) =>
      unwrapData(
        api.PATCH('/saleschannel-services/v1/transactions/{transactionId}/statement', {
          params: { path: { transactionId } },
          body,
        }),
      ),
    onSuccess: () => queries.invalidateQueries({ queryKey: detailKey(transactionId) }),
  });
};

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
