import type { ComponentProps } from 'react';
import { ChooseFilter } from '../../shared/ui/choose-filter.tsx';
import { text } from './text.ts';

const statuses = [
  ['ACTIVE', text.active],
  ['SUSPENDED', text.suspended],
] as const;

/** Channels and account holders by whether they are suspended. */
export const StatusFilter = (props: Pick<ComponentProps<typeof ChooseFilter>, 'value' | 'onChoose'>) => (
  <ChooseFilter label={text.status} options={statuses} {...props} />
);
