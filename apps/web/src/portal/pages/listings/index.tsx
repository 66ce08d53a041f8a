import { useState } from 'react';
import { translate } from '../../../shared/i18n/messages.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { ConfirmDialog } from '../../../shared/ui/dialog.tsx';
import { useFilters } from '../../../shared/ui/filters.ts';
import { Select } from '../../../shared/ui/form.tsx';
import { Page, Status, Table, type TableColumn, type Tone } from '../../../shared/ui/page.tsx';
import { Empty, Failure, Read } from '../../../shared/ui/state.tsx';
import {
  useChannelNames,
  useHolderProposals,
  useSalesChannels,
  useSubmitProposal,
  type Proposal,
  type SalesChannel,
} from '../../holder/holder.ts';

const text = translate({
  title: 'Listings',
  about: 'A sales channel lists and sells your certificates once it has accepted you as a trader.',
  proposals: 'Proposals to sales channels',
  channel: 'Sales channel',
  status: 'Status',
  trader: 'Your trader there',
  again: 'Apply again',
  againTo: (name: string) => `Apply to ${name} again`,
  apply: 'Apply to a sales channel',
  applyTo: (name: string) => `Apply to ${name}`,
  applyWhy:
    'The sales channel sees the name, business id and id of your account holder, and accepts or rejects the proposal.',
  choose: 'Choose',
  none: 'You have not applied to any sales channel yet.',
  all: 'You have applied to every sales channel.',
  PENDING: 'pending',
  ACCEPTED: 'accepted',
  REJECTED: 'rejected',
});

/** Placeholder that is not a sales channel id. */
const NONE = 'none';

const tones: Readonly<Record<Proposal['status'], Tone>> = { PENDING: 'wait', ACCEPTED: 'ok', REJECTED: 'bad' };

/** @param channel undefined if the user has yet to choose one */
function Apply({
  channel,
  offered,
  isAgain,
  onClose,
}: {
  readonly channel: SalesChannel | undefined;
  readonly offered: readonly SalesChannel[];
  readonly isAgain: boolean;
  onClose(): void;
}) {
  const [chosen, setChosen] = useState(channel);
  const submission = useSubmitProposal();
  const act = chosen === undefined ? text.apply : isAgain ? text.againTo(chosen.name) : text.applyTo(chosen.name);
  return (
    <ConfirmDialog
      title={channel === undefined ? text.apply : act}
      look="primary"
      button={act}
      change={submission}
      isDisabled={chosen === undefined}
      onConfirm={() => chosen && submission.mutate(chosen.id, { onSuccess: onClose })}
      onClose={onClose}
    >
      <p>{text.applyWhy}</p>
      {channel === undefined && (
        <Select
          label={text.channel}
          value={chosen?.id ?? NONE}
          onChange={({ target }) => setChosen(offered.find(({ id }) => id === target.value))}
        >
          <option value={NONE}>{text.choose}</option>
          {offered.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </Select>
      )}
    </ConfirmDialog>
  );
}

interface Application {
  readonly channel: SalesChannel | undefined;
  readonly isAgain: boolean;
}

const buildColumns = (
  nameOf: (id: string) => string,
  openApplication: (application: Application) => void,
): TableColumn<Proposal>[] => [
  { name: text.channel, cell: ({ salesChannelId }) => nameOf(salesChannelId) },
  { name: text.status, cell: ({ status }) => <Status tone={tones[status]}>{text[status]}</Status> },
  {
    name: text.trader,
    cell: ({ status, onboardedTraderId }) => (status === 'ACCEPTED' ? <code>{onboardedTraderId}</code> : null),
  },
  {
    name: text.again,
    cell({ status, salesChannelId: id }) {
      if (status !== 'REJECTED') return null;
      const name = nameOf(id);
      return (
        <Button
          look="quiet"
          aria-label={text.againTo(name)}
          onClick={() => openApplication({ channel: { id, name }, isAgain: true })}
        >
          {text.again}
        </Button>
      );
    },
  },
];

function Listings({ proposals }: { readonly proposals: readonly Proposal[] }) {
  const nameOf = useChannelNames();
  const channels = useSalesChannels();
  const [application, setApplication] = useState<Application>();
  // A search result links here with its sales channel.
  const [{ channel: foundId }, , clear] = useFilters(['channel']);
  const offered = (channels.data ?? []).filter(
    ({ id }) => !proposals.some(({ salesChannelId }) => salesChannelId === id),
  );
  const found = offered.find(({ id }) => id === foundId);
  const shown = application ?? (found && { channel: found, isAgain: false });
  const close = (): void => {
    setApplication(undefined);
    clear();
  };
  const apply =
    offered.length > 0 ? (
      <Button look="primary" onClick={() => setApplication({ channel: undefined, isAgain: false })}>
        {text.apply}
      </Button>
    ) : (
      channels.isSuccess && <span>{text.all}</span>
    );
  return (
    <>
      {proposals.length === 0 ? (
        <Empty action={apply}>{text.none}</Empty>
      ) : (
        <>
          <p>{apply}</p>
          <Table
            label={text.proposals}
            columns={buildColumns(nameOf, setApplication)}
            rows={proposals}
            keyOf={({ id }) => id}
          />
        </>
      )}
      {channels.error && <Failure error={channels.error} onRetry={() => void channels.refetch()} />}
      {shown && <Apply {...shown} offered={offered} onClose={close} />}
    </>
  );
}

export default function ListingsPage() {
  return (
    <Page title={text.title}>
      <p>{text.about}</p>
      <Read of={useHolderProposals()}>{(proposals) => <Listings proposals={proposals} />}</Read>
    </Page>
  );
}
