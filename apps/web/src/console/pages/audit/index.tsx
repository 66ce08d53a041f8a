import { useState } from 'react';
import { Link } from 'wouter';
import { clock, day } from '../../../shared/format/time.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { Dialog } from '../../../shared/ui/dialog.tsx';
import { useFilters } from '../../../shared/ui/filters.ts';
import { Field } from '../../../shared/ui/form.tsx';
import { Grid, type Column } from '../../../shared/ui/grid.tsx';
import { Facts, Page } from '../../../shared/ui/page.tsx';
import { Empty } from '../../../shared/ui/state.tsx';
import { TextFilter, Toolbar } from '../../../shared/ui/toolbar.tsx';
import { ChooseFilter } from '../../../shared/ui/choose-filter.tsx';
import { Verbatim } from '../../../shared/ui/verbatim.tsx';
import { INSTALLATION, inWords, services, useAuditEvents, type AuditEvent, type Service } from './events.ts';
import { text } from './text.ts';

const timeOf = (occurredAt: string): string => `${day(occurredAt)} ${clock(occurredAt)}`;

const columnsFor = (show: (event: AuditEvent) => void): readonly Column<AuditEvent>[] => [
  { key: 'at', name: text.at, width: '10rem', cell: ({ occurredAt }) => timeOf(occurredAt) },
  { key: 'action', name: text.action, width: 'minmax(14rem, 1fr)', cell: ({ action }) => action },
  { key: 'actor', name: text.actor, width: 'minmax(8rem, 1fr)', cell: ({ actor }) => inWords(actor) },
  { key: 'subject', name: text.subject, width: 'minmax(18rem, 1fr)', cell: ({ subject }) => inWords(subject) },
  { key: 'sequence', name: text.sequence, width: '4rem', align: 'end', cell: ({ sequence }) => sequence },
  {
    key: 'show',
    name: text.show,
    width: '4rem',
    cell: (event) => (
      <Button look="quiet" aria-label={text.showTitle(event.sequence)} onClick={() => show(event)}>
        {text.show}
      </Button>
    ),
  },
];

function Content({ label, value }: { readonly label: string; readonly value: object | null }) {
  if (value === null) return null;
  return (
    <>
      <h3>{label}</h3>
      <Verbatim label={label}>{JSON.stringify(value, null, 2)}</Verbatim>
    </>
  );
}

function Details({ event, onClose }: { readonly event: AuditEvent; onClose(): void }) {
  const { id } = event.subject;
  return (
    <Dialog title={text.details} onClose={onClose} actions={<Button onClick={onClose}>{text.close}</Button>}>
      <Facts
        of={[
          [text.at, timeOf(event.occurredAt)],
          [text.action, event.action],
          [text.actor, inWords(event.actor)],
          [
            text.subject,
            id === undefined ? (
              inWords(event.subject)
            ) : (
              <Link key="subject" href={`/search?${new URLSearchParams({ q: id })}`}>
                {inWords(event.subject)}
              </Link>
            ),
          ],
          [text.address, event.address],
          [text.request, event.requestId],
          [text.hash, <code key="hash">{event.hash}</code>],
          [text.previousHash, <code key="previous">{event.previousHash}</code>],
        ]}
      />
      <Content label={text.before} value={event.before} />
      <Content label={text.after} value={event.after} />
    </Dialog>
  );
}

export default function AuditPage() {
  const [filters, setFilter] = useFilters(['scope', 'service', 'from', 'to']);
  const { scope = INSTALLATION, from, to } = filters;
  const [shown, setShown] = useState<AuditEvent>();
  const service = services.find((each) => each === filters.service);
  const source = useAuditEvents({ scope, service, from, to });
  return (
    <Page title={text.title}>
      <p>{text.about}</p>
      <Toolbar label={text.filters}>
        <TextFilter
          label={`${text.scope}: ${text.scopeHint}`}
          value={scope}
          onChange={(to) => setFilter('scope', to)}
        />
        <ChooseFilter
          label={text.service}
          options={services.map((each: Service) => [each, each])}
          value={service}
          onChoose={(to) => setFilter('service', to)}
        />
        <Field
          label={text.from}
          type="date"
          defaultValue={from}
          onChange={({ target }) => setFilter('from', target.value)}
        />
        <Field label={text.to} type="date" defaultValue={to} onChange={({ target }) => setFilter('to', target.value)} />
      </Toolbar>
      <Grid
        key={JSON.stringify(filters)}
        label={text.title}
        columns={columnsFor(setShown)}
        source={source}
        onOpen={setShown}
        empty={<Empty>{text.empty}</Empty>}
      />
      {shown && <Details event={shown} onClose={() => setShown(undefined)} />}
    </Page>
  );
}
