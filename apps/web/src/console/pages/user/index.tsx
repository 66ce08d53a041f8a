import { useState } from 'react';
import { Link } from 'wouter';
import type { PageProps } from '../../../shared/shell/pages.ts';
import { ActionDialog, type DialogAction } from '../../../shared/ui/action-dialog.tsx';
import { Button } from '../../../shared/ui/button.tsx';
import { Facts, Page } from '../../../shared/ui/page.tsx';
import { Empty, Failure, Read } from '../../../shared/ui/state.tsx';
import { Keys } from '../../people/keys.tsx';
import { Sessions } from '../../people/sessions.tsx';
import { useBinding, useUser, type Binding, type User } from '../../people/users.ts';
import { listUserActions, UserStatus } from '../../users/actions.tsx';
import { text } from '../../users/text.ts';

function Details({ user, binding }: { readonly user: User; readonly binding: Binding | null }) {
  const { id, accountHolderId } = user;
  const channel = binding?.salesChannelId;
  return (
    <>
      <Facts
        of={[
          [text.status, <UserStatus key="status" of={user} />],
          [text.id, <code key="id">{id}</code>],
          [text.issuer, user.issuer],
          [
            text.holder,
            accountHolderId === null ? (
              text.noHolder
            ) : (
              <Link key="holder" href={`/holders/${encodeURIComponent(accountHolderId)}`}>
                <code>{accountHolderId}</code>
              </Link>
            ),
          ],
          [
            text.channel,
            channel === undefined ? (
              text.noChannel
            ) : (
              <Link key="channel" href={`/channels?${new URLSearchParams({ name: channel })}`}>
                <code>{channel}</code>
              </Link>
            ),
          ],
          [text.roles, binding && (binding.roles.length === 0 ? text.noRoles : binding.roles.toSorted().join(', '))],
        ]}
      />
      <Sessions of={user} />
      <Keys of={{ userId: id }} />
    </>
  );
}

export default function UserPage({ parameters }: PageProps) {
  const userId = parameters['id'] ?? 'none';
  const user = useUser(userId);
  const binding = useBinding(userId);
  const [act, setAct] = useState<DialogAction<unknown>>();
  const acts = user.data && binding.data !== undefined ? listUserActions(user.data, binding.data) : [];
  return (
    <Page
      title={user.data?.subject ?? text.one}
      actions={
        <>
          <Link href="/users">{text.all}</Link>
          {acts.map((each) => (
            <Button key={each.title} look={each.look} onClick={() => setAct(each)}>
              {each.button}
            </Button>
          ))}
        </>
      }
    >
      {binding.error !== null && <Failure error={binding.error} onRetry={() => void binding.refetch()} />}
      <Read of={user}>
        {(found) => (found ? <Details user={found} binding={binding.data ?? null} /> : <Empty>{text.none}</Empty>)}
      </Read>
      {act && <ActionDialog act={act} onClose={() => setAct(undefined)} />}
    </Page>
  );
}
