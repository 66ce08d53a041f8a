import { lookUp } from '@saleschannel/edge/administration';
import { id } from '@saleschannel/primitives/validation';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { operation, type Operations } from '../http/operation.ts';
import { streamActivity } from '../http/activity-stream.ts';

type Handled = 'getServiceHealth' | 'getActivity' | 'streamActivity' | 'lookUp';

/** Operations about the current state of the installation. */
export const now = ({ watch, connection }: Context): Pick<Operations, Handled> => ({
  getServiceHealth: operation('getServiceHealth')({
    handle: async () => ({ items: (await watch.fresh()).services }),
  }),
  getActivity: operation('getActivity')({
    handle: () => watch.fresh(),
  }),
  streamActivity: operation('streamActivity')({
    handle: (_input, context) => streamActivity(watch, context),
  }),
  lookUp: operation('lookUp')({
    query: z.strictObject({ id }),
    handle: ({ query }) => lookUp(connection, query.id, true),
  }),
});
