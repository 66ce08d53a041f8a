import { useQuery } from '@tanstack/react-query';
import { Choice } from '../../shared/ui/form.tsx';
import { Read } from '../../shared/ui/state.tsx';
import { allChannels, channelsKey } from '../people/channels.ts';
import { text } from './text.ts';

interface ChannelChoiceProps {
  readonly name: string;
  /** That of the user, who is of one at most. */
  readonly only: string | undefined;
  readonly fault: string | undefined;
}

/** A sales channel by its name. A closed one has no users any more. */
export function ChannelChoice({ name, only, fault }: ChannelChoiceProps) {
  const channels = useQuery({
    queryKey: [...channelsKey, 'choice'],
    queryFn: ({ signal }) => allChannels(signal),
  });
  return (
    <Read of={channels}>
      {(all) => (
        <Choice label={text.channel} name={name} required fault={fault}>
          {only === undefined && <option value="">{text.chooseChannel}</option>}
          {all
            .filter(({ id, closedAt }) => (only === undefined || id === only) && closedAt === null)
            .map((channel) => (
              <option key={channel.id} value={channel.id}>
                {channel.name}
              </option>
            ))}
        </Choice>
      )}
    </Read>
  );
}
