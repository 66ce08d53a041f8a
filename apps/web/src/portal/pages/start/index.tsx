import { Facts, Page } from '../../../shared/ui/page.tsx';
import { Copy } from '../../../shared/ui/secret.tsx';
import { Read } from '../../../shared/ui/state.tsx';
import { isHolder, useMe, type Me } from '../../me.ts';
import { ChannelStart } from './channel.tsx';
import { HolderStart } from './holder.tsx';
import { text } from './text.ts';

/** What they give to whoever lets them in. */
function UserId({ me }: { readonly me: Me }) {
  const value = (
    <span key="id">
      <code>{me.userId}</code> <Copy value={me.userId} />
    </span>
  );
  return <Facts of={[[text.userId, value]]} />;
}

function Outside({ me }: { readonly me: Me }) {
  return (
    <>
      <p>{text.nobody}</p>
      <p>{text.nobodyChannel}</p>
      <p>{text.nobodyHolder}</p>
      <UserId me={me} />
    </>
  );
}

function Start({ me }: { readonly me: Me }) {
  const { salesChannel, roles } = me;
  if (salesChannel === null && !isHolder(me)) return <Outside me={me} />;
  return (
    <>
      {isHolder(me) && <HolderStart />}
      {salesChannel && roles.length > 0 && <ChannelStart me={me} />}
      {salesChannel && roles.length === 0 && (
        <>
          <p>{text.noRoles(salesChannel.name)}</p>
          <UserId me={me} />
        </>
      )}
    </>
  );
}

/** What waits for somebody, and what comes next. */
export default function StartPage() {
  return (
    <Page title={text.title}>
      <Read of={useMe()}>{(me) => <Start me={me} />}</Read>
    </Page>
  );
}
