import { useState } from 'react';
import { Link } from 'wouter';
import { formatDateTime } from '../../../shared/format/time.ts';
import type { PageProps } from '../../../shared/shell/pages.ts';
import { ActionDialog, type DialogAction } from '../../../shared/ui/action-dialog.tsx';
import { Button } from '../../../shared/ui/button.tsx';
import { Facts, Page } from '../../../shared/ui/page.tsx';
import { Empty, Read } from '../../../shared/ui/state.tsx';
import { listHolderActions, text, useHolder, type Holder } from '../../people/holders.tsx';
import { Keys } from '../../people/keys.tsx';
import { SuspensionStatus, text as common } from '../../people/suspension.tsx';

const formatAddress = ({ address: { street1, street2, postalCode, city, country } }: Holder): string =>
  [street1, street2, `${postalCode} ${city}`, country].filter((part) => part !== null).join(', ');

function Details({ holder }: { readonly holder: Holder }) {
  const { accountHolderId } = holder;
  return (
    <>
      <Facts
        of={[
          [common.status, <SuspensionStatus key="status" of={holder} />],
          [text.kind, text[holder.kind]],
          [text.id, <code key="id">{accountHolderId}</code>],
          [text.businessId, holder.businessId],
          [text.address, formatAddress(holder)],
          [text.approval, holder.autoApproval ? text.automatic : text.manual],
          [text.registered, formatDateTime(holder.registeredOn)],
        ]}
      />
      <p>
        <Link href={`/users?${new URLSearchParams({ holder: accountHolderId })}`}>{text.users}</Link>
      </p>
      <Keys of={{ accountHolderId }} />
    </>
  );
}

export default function HolderPage({ parameters }: PageProps) {
  const holder = useHolder(parameters['id'] ?? 'none');
  const [act, setAct] = useState<DialogAction<Holder>>();
  return (
    <Page
      title={holder.data?.name ?? text.one}
      actions={
        <>
          <Link href="/holders">{text.all}</Link>
          {holder.data &&
            listHolderActions(holder.data).map((each) => (
              <Button key={each.title} look={each.look} onClick={() => setAct(each)}>
                {each.button}
              </Button>
            ))}
        </>
      }
    >
      <Read of={holder}>{(found) => (found ? <Details holder={found} /> : <Empty>{text.none}</Empty>)}</Read>
      {act && <ActionDialog act={act} onClose={() => setAct(undefined)} />}
    </Page>
  );
}
