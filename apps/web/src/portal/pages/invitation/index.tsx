import { useQueryClient, type UseMutationResult } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { api, unwrapData, type Schemas } from '../../../shared/api/client.ts';
import { ApiError } from '../../../shared/api/problem.ts';
import { useSubmission } from '../../../shared/api/queries.ts';
import { translate } from '../../../shared/i18n/messages.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { Facts, Page } from '../../../shared/ui/page.tsx';
import { Empty, Failure, Read } from '../../../shared/ui/state.tsx';
import { clearInvitation, readInvitation } from '../../invitation.ts';
import { roleLabel, useMe, type Me } from '../../me.ts';

const text = translate({
  title: 'Invitation',
  about:
    'You are invited to work for a sales channel. If you accept, you join it with the account that you are signed in ' +
    'with:',
  name: 'Name',
  subject: 'Name at the identity provider',
  accept: 'Accept invitation',
  accepted: 'You have joined the sales channel. Your roles:',
  start: 'Go to start page',
  none: 'This link contains no invitation. Open the complete link that you received again.',
  notFound:
    'The invitation may have expired or been revoked or accepted, or it may be for another email address. You also ' +
    'cannot accept it while you belong to another sales channel. Ask the sender for a new one.',
});

function useAccept(): UseMutationResult<Schemas['UserBinding'], Error, string> {
  const queries = useQueryClient();
  return useSubmission({
    mutationFn: (token: string) => unwrapData(api.POST('/user-services/invitations/accept', { body: { token } })),
    onSuccess() {
      clearInvitation();
      return queries.invalidateQueries();
    },
  });
}

function Accept({ me, token }: { readonly me: Me; readonly token: string }) {
  const acceptance = useAccept();
  const { data, error } = acceptance;
  if (data) {
    return (
      <div role="status">
        <p>{text.accepted}</p>
        <ul>
          {data.roles.map((role) => (
            <li key={role}>{roleLabel(role)}</li>
          ))}
        </ul>
        <Link href="/">{text.start}</Link>
      </div>
    );
  }
  return (
    <>
      <p>{text.about}</p>
      <Facts
        of={[
          [text.name, me.name ?? me.email],
          [text.subject, me.subject],
        ]}
      />
      <Button look="primary" busy={acceptance.isPending} onClick={() => acceptance.mutate(token)}>
        {text.accept}
      </Button>
      {error && <Failure error={error} />}
      {error instanceof ApiError && error.status === 404 && <p>{text.notFound}</p>}
    </>
  );
}

export default function InvitationPage() {
  const [token] = useState(readInvitation);
  const me = useMe();
  return (
    <Page title={text.title}>
      {token === undefined ? (
        <Empty>{text.none}</Empty>
      ) : (
        <Read of={me}>{(data) => <Accept me={data} token={token} />}</Read>
      )}
    </Page>
  );
}
