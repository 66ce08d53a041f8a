import { Link } from 'wouter';
import { translated } from '../../../shared/i18n/messages.ts';
import { Facts, Page } from '../../../shared/ui/page.tsx';
import { Read } from '../../../shared/ui/state.tsx';
import { isHolder, isOfChannel, useMe, type Me } from '../../me.ts';
import { pages } from '../../pages.ts';
import { LatestTransactions } from '../../transactions/latest.tsx';

const text = translated({
  title: 'Start',
  channel: 'Sales channel',
  holder: 'Account holder',
  nobody: 'You belong to no sales channel and to no account holder yet.',
  nobodyNext: 'Give your user id to a role administrator of your sales channel, or accept their invitation.',
  yourId: 'Your user id',
});

function Ways({ me }: { readonly me: Me }) {
  const ways = pages.filter(({ path, navigation }) => path !== '/' && navigation?.isFor(me));
  return (
    <ul>
      {ways.map(({ path, navigation }) => (
        <li key={path}>
          <Link href={path}>{navigation?.label}</Link>
        </li>
      ))}
    </ul>
  );
}

function Start({ me }: { readonly me: Me }) {
  const isNobody = me.salesChannel === null && !isHolder(me);
  return (
    <>
      {isNobody ? (
        <>
          <p>{text.nobody}</p>
          <p>{text.nobodyNext}</p>
          <Facts of={[[text.yourId, <code key="id">{me.userId}</code>]]} />
        </>
      ) : (
        <Facts
          of={[
            [text.channel, me.salesChannel?.name],
            [text.holder, me.accountHolder?.name],
          ]}
        />
      )}
      {isOfChannel(me, 'TRANSACTION_ADMINISTRATOR') && <LatestTransactions />}
      <Ways me={me} />
    </>
  );
}

export default function StartPage() {
  return (
    <Page title={text.title}>
      <Read of={useMe()}>{(me) => <Start me={me} />}</Read>
    </Page>
  );
}
