import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { describeAction, parseOrder } from '../../../shared/audit/actions.ts';
import { Action, ActionFilter, OrderFilter } from '../../../shared/audit/filters.tsx';
import { shortenId } from '../../../shared/format/serials.ts';
import { formatMoment } from '../../../shared/format/time.ts';
import { translate } from '../../../shared/i18n/messages.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { Dialog } from '../../../shared/ui/dialog.tsx';
import { useFilters } from '../../../shared/ui/filters.ts';
import { Select, Field } from '../../../shared/ui/form.tsx';
import { Grid, type Column } from '../../../shared/ui/grid.tsx';
import { Facts, Page, Verbatim } from '../../../shared/ui/page.tsx';
import { Empty } from '../../../shared/ui/state.tsx';
import { SelectFilter, TextFilter, Toolbar } from '../../../shared/ui/toolbar.tsx';
import { fetchChannels, channelsKey } from '../../api.ts';
import {
  describeActor,
  commonScopes,
  INSTALLATION,
  describeParts,
  services,
  useAuditEvents,
  type AuditEvent,
  type Service,
} from './events.ts';

const text = translate({
  title: 'Audit trail',
  about:
    'Actions and their actors. In each service, an event holds the hash of the previous event, so that no event can ' +
    'be removed unnoticed.',
  filters: 'Filters',
  scope: 'Trail',
  installation: 'Installation',
  registry: 'Registry',
  sessions: 'Sign-ins and sessions',
  by: 'User id or operator',
  onlyBy: (actor: string) => `Only actions of ${actor}`,
  service: 'Service',
  from: 'From, UTC',
  to: 'To, UTC',
  at: 'When, UTC',
  action: 'Action',
  name: 'Action name',
  actor: 'Actor',
  subject: 'Object',
  request: 'Request',
  sequence: 'Number',
  show: 'Show',
  showTitle: (sequence: number) => `Show event ${sequence}`,
  details: 'Audit event',
  address: 'Address',
  before: 'Before',
  after: 'After',
  hash: 'Hash',
  previousHash: 'Previous hash',
  close: 'Close',
  empty: 'No matching audit events.',
});

interface ScopeFilterProps {
  readonly value: string;
  onChange(scope: string): void;
}

/** Chooses the trail of the installation, the registry, the sessions or a sales channel. */
function ScopeFilter({ value, onChange }: ScopeFilterProps) {
  const { data: channels = [] } = useQuery({
    queryKey: [...channelsKey, 'choice'],
    queryFn: ({ signal }) => fetchChannels(signal),
  });
  const sorted = channels.toSorted((one, other) => one.name.localeCompare(other.name, 'en'));
  const options = [
    ...commonScopes.map((scope) => ({ id: scope, name: text[scope] })),
    ...sorted.map(({ id, name }) => ({ id, name })),
  ];
  // The address may name a sales channel that does not exist, or not yet.
  const isKnown = options.some(({ id }) => id === value);
  return (
    <Select label={text.scope} value={value} onChange={({ target }) => onChange(target.value)}>
      {!isKnown && <option value={value}>{value}</option>}
      {options.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </Select>
  );
}

interface EventActions {
  show(event: AuditEvent): void;
  filterBy(actorId: string): void;
}

function Actor({ of, onChoose }: { readonly of: AuditEvent['actor']; onChoose(id: string): void }) {
  const { id } = of;
  const words = describeActor(of);
  if (id === undefined) return <span title={describeParts(of)}>{words}</span>;
  return (
    <Button look="quiet" title={text.onlyBy(id)} onClick={() => onChoose(id)}>
      {words}
    </Button>
  );
}

const buildColumns = ({ show, filterBy }: EventActions): readonly Column<AuditEvent>[] => [
  { name: text.at, width: '10rem', cell: ({ occurredAt }) => formatMoment(occurredAt) },
  { name: text.action, width: 'minmax(10rem, 1fr)', cell: ({ action }) => <Action action={action} /> },
  { name: text.actor, width: 'minmax(9rem, 1fr)', cell: ({ actor }) => <Actor of={actor} onChoose={filterBy} /> },
  {
    name: text.subject,
    width: 'minmax(12rem, 1fr)',
    cell: ({ subject }) => {
      const { type, id } = subject;
      return <span title={describeParts(subject)}>{id === undefined ? type : `${type} ${shortenId(id)}`}</span>;
    },
  },
  { name: text.sequence, width: '4rem', align: 'end', cell: ({ sequence }) => sequence },
  {
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
          [text.at, formatMoment(event.occurredAt)],
          [text.action, describeAction(event.action)],
          [text.name, event.action],
          [text.actor, describeParts(event.actor)],
          [
            text.subject,
            id === undefined ? (
              describeParts(event.subject)
            ) : (
              <Link key="subject" href={`/search?${new URLSearchParams({ q: id })}`}>
                {describeParts(event.subject)}
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
  const [filters, setFilter] = useFilters(['scope', 'service', 'order', 'action', 'actor', 'from', 'to']);
  const { scope = INSTALLATION, action, actor, from, to } = filters;
  const order = parseOrder(filters.order);
  const [shown, setShown] = useState<AuditEvent>();
  const service = services.find((each) => each === filters.service);
  const source = useAuditEvents({ scope, service, order, action, actor, from, to });
  return (
    <Page title={text.title}>
      <p>{text.about}</p>
      <Toolbar label={text.filters}>
        <ScopeFilter value={scope} onChange={(to) => setFilter('scope', to)} />
        <OrderFilter value={order} onChange={(to) => setFilter('order', to)} />
        <ActionFilter value={action} onChange={(to) => setFilter('action', to)} />
        <TextFilter label={text.by} value={actor} onChange={(to) => setFilter('actor', to)} />
        <SelectFilter
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
        columns={buildColumns({ show: setShown, filterBy: (id) => setFilter('actor', id) })}
        source={source}
        onOpen={setShown}
        empty={<Empty>{text.empty}</Empty>}
      />
      {shown && <Details event={shown} onClose={() => setShown(undefined)} />}
    </Page>
  );
}
