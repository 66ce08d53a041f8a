import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from 'wouter';
import { translate } from '../../../shared/i18n/messages.ts';
import { Facts, Page, Status } from '../../../shared/ui/page.tsx';
import { Empty, Read } from '../../../shared/ui/state.tsx';
import { lookUp, type LookUp } from '../../api.ts';
import { describeFact, factPath } from './paths.ts';

const text = translate({
  title: 'Search',
  aside: (id: string) => `for ${id}`,
  of: (kind: string, service: string) => `${kind}, in ${service}`,
  nothing: 'No results.',
  unreachable: (services: string) => `No results from services that are unreachable: ${services}.`,
  noText: 'Search above by any id, or by part of the name of a channel, holder, trader, facility or supplier.',
});

function Found({ result: { found, unreachable } }: { readonly result: LookUp }) {
  return (
    <>
      {unreachable.length > 0 && (
        <p>
          <Status tone="bad">{text.unreachable(unreachable.join(', '))}</Status>
        </p>
      )}
      {found.length === 0 && unreachable.length === 0 && <Empty>{text.nothing}</Empty>}
      {found.map(({ service, kind, facts }, index) => (
        <section key={`${service} ${kind} ${String(index)}`}>
          <h2>{text.of(kind, service)}</h2>
          <Facts
            of={Object.entries(facts).map(([name, value]) => {
              const path = factPath(name, value);
              const [label, shown] = describeFact(name, value);
              return [label, path === undefined ? shown : <Link href={path}>{shown}</Link>] as const;
            })}
          />
        </section>
      ))}
    </>
  );
}

function Result({ id }: { readonly id: string }) {
  const result = useQuery({ queryKey: ['look-up', id], queryFn: ({ signal }) => lookUp(id, signal) });
  return <Read of={result}>{(found) => <Found result={found} />}</Read>;
}

export default function SearchPage() {
  const id = new URLSearchParams(useSearch()).get('q')?.trim();
  const isAsked = id !== undefined && id !== '';
  return (
    <Page title={text.title} aside={isAsked ? text.aside(id) : undefined}>
      {isAsked ? <Result key={id} id={id} /> : <Empty>{text.noText}</Empty>}
    </Page>
  );
}
