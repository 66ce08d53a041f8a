import type { ComponentProps } from 'react';
import { ChooseFilter } from '../../shared/ui/toolbar.tsx';
import { text } from './text.ts';

const statuses = [
  ['ACTIVE', text.active],
  ['SUSPENDED', text.suspended],
] as const;
const channelStatuses = [...statuses, ['CLOSED', text.closed]] as const;

type Chosen = Pick<ComponentProps<typeof ChooseFilter>, 'value' | 'onChoose'>;

/** Account holders by whether they are suspended. */
export const StatusFilter = (props: Chosen) => <ChooseFilter label={text.status} options={statuses} {...props} />;

/** Sales channels by whether they are suspended or closed. */
export const ChannelStatusFilter = (props: Chosen) => (
  <ChooseFilter label={text.status} options={channelStatuses} {...props} />
);
