import { useQuery } from '@tanstack/react-query';
import { Choice } from '../../../shared/ui/form.tsx';
import { allChannels, channelsKey } from '../../people/channels.ts';
import { commonScopes } from './events.ts';
import { text } from './text.ts';

interface ScopeFilterProps {
  readonly value: string;
  onChange(scope: string): void;
}

/** Whose trail is shown: a common one, or that of a sales channel by its name. */
export function ScopeFilter({ value, onChange }: ScopeFilterProps) {
  const { data: channels = [] } = useQuery({
    queryKey: [...channelsKey, 'choice'],
    queryFn: ({ signal }) => allChannels(signal),
  });
  const sorted = channels.toSorted((one, other) => one.name.localeCompare(other.name, 'en'));
  const options = [
    ...commonScopes.map((scope) => ({ id: scope, name: text[scope] })),
    ...sorted.map(({ id, name }) => ({ id, name })),
  ];
  // An address may name a channel that is not there, or not yet.
  const isKnown = options.some(({ id }) => id === value);
  return (
    <Choice label={text.scope} value={value} onChange={({ target }) => onChange(target.value)}>
      {!isKnown && <option value={value}>{value}</option>}
      {options.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </Choice>
  );
}
