import { parseOrder } from '../../../shared/audit/actions.ts';
import { Action, ActionFilter, OrderFilter } from '../../../shared/audit/filters.tsx';
import { shortenId } from '../../../shared/format/serials.ts';
import { formatDateTime } from '../../../shared/format/time.ts';
import { translate } from '../../../shared/i18n/messages.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { Csv } from '../../../shared/ui/csv.tsx';
import { useFilters } from '../../../shared/ui/filters.ts';
import { Page, Table, type TableColumn } from '../../../shared/ui/page.tsx';
import { Empty, Failure, Read } from '../../../shared/ui/state.tsx';
import { SelectFilter, DayFilter, Toolbar } from '../../../shared/ui/toolbar.tsx';
import { personName, findPeople, usePeople, type ChannelUser } from '../people/people.ts';
import { describeChanges, loadCsv, loadLines, useAuditEvents, type AuditEvent, type AuditFilters } from './events.ts';

const text = translate({
  title: 'Audit trail',
  about: 'All changes to permissions, keys, master data and transactions of the sales channel.',
  filters: 'Filters',
  from: 'From, UTC',
  to: 'To, UTC',
  list: 'Audit events',
  lines: 'Audit events as JSON lines. Without filters and with the oldest first, their hashes can be verified',
  time: 'When, UTC',
  action: 'Action',
  actor: 'Who',
  key: (id: string) => `with key ${id}`,
  subject: 'Object',
  changes: 'Changes',
  address: 'Address',
  request: 'Request',
  by: 'User',
  empty: 'No matching audit events.',
  further: 'Show more events',
  tooLong: 'One file cannot hold this many events. Choose fewer days or set a filter.',
});

const buildColumns = (nameOf: (userId: string) => string): readonly TableColumn<AuditEvent>[] => [
  { name: text.time, cell: ({ occurredAt }) => formatDateTime(occurredAt) },
  { name: text.action, cell: ({ action }) => <Action action={action} /> },
  {
    name: text.actor,
    wraps: true,
    cell: ({ actor: { kind, id, keyId } }) => (
      <>
        {kind} {id !== undefined && nameOf(id)} {keyId !== undefined && text.key(shortenId(keyId))}
      </>
    ),
  },
  {
    name: text.subject,
    wraps: true,
    cell: ({ subject: { type, id } }) => (
      <>
        {type} {type === 'user' ? nameOf(id) : <code>{shortenId(id)}</code>}
      </>
    ),
  },
  { name: text.changes, wraps: true, cell: ({ before, after }) => describeChanges(before, after) },
  { name: text.address, ifWide: true, cell: ({ address }) => address },
  { name: text.request, cell: ({ requestId }) => requestId !== null && <code>{shortenId(requestId)}</code> },
];

function Events({
  auditFilters,
  people,
}: {
  readonly auditFilters: AuditFilters;
  readonly people: readonly ChannelUser[];
}) {
  const reading = useAuditEvents(auditFilters);
  const nameOf = (id: string): string => {
    const person = people.find(({ userId }) => userId === id);
    return person ? personName(person) : shortenId(id);
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
              columns={buildColumns(nameOf)}
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
  const [filters, setFilter] = useFilters(['order', 'action', 'actor', 'from', 'to']);
  const people = usePeople().data ?? [];
  const { from, to, action, actor } = filters;
  const auditFilters: AuditFilters = { order: parseOrder(filters.order), action, actor, from, to };
  return (
    <Page
      title={text.title}
      actions={
        <>
          <Csv label={text.list} name="audit-events" load={() => loadCsv(auditFilters, text.tooLong)} />
          <Csv
            label={text.lines}
            name="audit-events"
            form="NDJSON"
            load={() => loadLines(auditFilters, text.tooLong)}
          />
        </>
      }
    >
      <p>{text.about}</p>
      <Toolbar label={text.filters}>
        <OrderFilter value={auditFilters.order} onChange={(order) => setFilter('order', order)} />
        <ActionFilter value={action} onChange={(chosen) => setFilter('action', chosen)} />
        <SelectFilter
          label={text.by}
          options={findPeople(people, undefined).map((person) => [person.userId, personName(person)])}
          value={actor}
          onChoose={(chosen) => setFilter('actor', chosen)}
        />
        <DayFilter label={text.from} value={from} onChange={(day) => setFilter('from', day)} />
        <DayFilter label={text.to} value={to} onChange={(day) => setFilter('to', day)} />
      </Toolbar>
      <Events auditFilters={auditFilters} people={people} />
    </Page>
  );
}
