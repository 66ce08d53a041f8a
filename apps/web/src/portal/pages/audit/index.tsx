import { dateTime } from '../../../shared/format/time.ts';
import { shortId } from '../../../shared/format/serials.ts';
import { translated } from '../../../shared/i18n/messages.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { Csv } from '../../../shared/ui/csv.tsx';
import { useFilters } from '../../../shared/ui/filters.ts';
import { Page, Table, type TableColumn } from '../../../shared/ui/page.tsx';
import { Empty, Failure, Read } from '../../../shared/ui/state.tsx';
import { DayFilter, Toolbar } from '../../../shared/ui/toolbar.tsx';
import { calledAs } from '../people/find.ts';
import { usePeople } from '../people/people.ts';
import { changesOf } from './changes.ts';
import { loadCsv, loadLines, useAuditEvents, type AuditEvent } from './events.ts';

const text = translated({
  title: 'Audit trail',
  about: 'Every act that changed rights, keys, master data or transactions of the sales channel, the oldest first.',
  filters: 'Filters',
  from: 'From, UTC',
  to: 'To, UTC',
  list: 'Audit events',
  lines: 'Audit events as lines of JSON, whose hashes can be checked',
  time: 'When, UTC',
  action: 'What',
  actor: 'Who',
  key: (id: string) => `with key ${id}`,
  subject: 'On',
  changes: 'Changed',
  address: 'Address',
  request: 'Request',
  empty: 'Nothing happened on these days.',
  further: 'Further events',
  tooLong: 'These are more events than one file takes. Choose fewer days.',
});

/** The act itself is what its name ends with; the part before names the chain. */
const columnsFor = (nameOf: (userId: string) => string): readonly TableColumn<AuditEvent>[] => [
  { name: text.time, cell: ({ occurredAt }) => dateTime(occurredAt) },
  { name: text.action, cell: ({ action }) => action },
  {
    name: text.actor,
    wraps: true,
    cell: ({ actor: { kind, id, keyId } }) => (
      <>
        {kind} {id !== undefined && nameOf(id)} {keyId !== undefined && text.key(shortId(keyId))}
      </>
    ),
  },
  {
    name: text.subject,
    wraps: true,
    cell: ({ subject: { type, id } }) => (
      <>
        {type} {type === 'user' ? nameOf(id) : <code>{shortId(id)}</code>}
      </>
    ),
  },
  { name: text.changes, wraps: true, cell: ({ before, after }) => changesOf(before, after) },
  { name: text.address, ifWide: true, cell: ({ address }) => address },
  { name: text.request, cell: ({ requestId }) => requestId !== null && <code>{shortId(requestId)}</code> },
];

interface Reading {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

function Events({ days }: { readonly days: Reading }) {
  const reading = useAuditEvents(days);
  const people = usePeople();
  const nameOf = (id: string): string => {
    const person = people.data?.find(({ userId }) => userId === id);
    return person ? calledAs(person) : shortId(id);
  };
  return (
    <Read of={reading}>
      {({ pages }) => {
        const events = pages.flatMap((page) => page.events);
        if (events.length === 0) return <Empty>{text.empty}</Empty>;
        return (
          <>
            <Table
              label={text.list}
              columns={columnsFor(nameOf)}
              rows={events}
              keyOf={({ action, scope, sequence }) => `${action.split('.')[0]} ${scope} ${sequence}`}
            />
            {reading.isFetchNextPageError && <Failure error={reading.error} />}
            {reading.hasNextPage && (
              <Button busy={reading.isFetchingNextPage} onClick={() => void reading.fetchNextPage()}>
                {text.further}
              </Button>
            )}
          </>
        );
      }}
    </Read>
  );
}

export default function AuditPage() {
  const [days, setDay] = useFilters(['from', 'to']);
  return (
    <Page
      title={text.title}
      actions={
        <>
          <Csv label={text.list} name="audit-events" load={() => loadCsv(days, text.tooLong)} />
          <Csv label={text.lines} name="audit-events" form="NDJSON" load={() => loadLines(days, text.tooLong)} />
        </>
      }
    >
      <p>{text.about}</p>
      <Toolbar label={text.filters}>
        <DayFilter label={text.from} value={days.from} onChange={(from) => setDay('from', from)} />
        <DayFilter label={text.to} value={days.to} onChange={(to) => setDay('to', to)} />
      </Toolbar>
      <Events days={days} />
    </Page>
  );
}
