import { useState } from 'react';
import { Link } from 'wouter';
import { Button } from '../../../shared/ui/button.tsx';
import { Csv } from '../../../shared/ui/csv.tsx';
import { Page } from '../../../shared/ui/page.tsx';
import { Read } from '../../../shared/ui/state.tsx';
import { useMe, type Me } from '../../me.ts';
import { Invitations } from './invitations.tsx';
import { Matrix } from './matrix.tsx';
import { Invite, LetIn } from './newcomers.tsx';
import { loadPeopleCsv, usePeople } from './people.ts';
import { text } from './text.ts';

type Opened = 'invite' | 'let-in';

function People({ me, salesChannelId }: { readonly me: Me; readonly salesChannelId: string }) {
  const [opened, setOpened] = useState<Opened>();
  const close = (): void => setOpened(undefined);
  return (
    <Page
      title={text.title}
      actions={
        <>
          <Csv label={text.users} name="users" load={loadPeopleCsv} />
          <Button onClick={() => setOpened('let-in')}>{text.letIn}</Button>
          <Button look="primary" onClick={() => setOpened('invite')}>
            {text.invite}
          </Button>
        </>
      }
    >
      <Read of={usePeople()}>{(people) => <Matrix people={people} me={me} salesChannelId={salesChannelId} />}</Read>
      <Invitations />
      <p>
        <Link href="/channel/audit">{text.audit}</Link>
      </p>
      {opened === 'invite' && <Invite onClose={close} />}
      {opened === 'let-in' && <LetIn salesChannelId={salesChannelId} issuer={me.issuer} onClose={close} />}
    </Page>
  );
}

export default function PeoplePage() {
  const { data: me } = useMe();
  return me && <People me={me} salesChannelId={me.salesChannel?.id ?? 'none'} />;
}
