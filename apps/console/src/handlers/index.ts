import type { Context } from '../context.ts';
import type { Operations } from '../http/operation.ts';
import { audit } from './audit.ts';
import { channels } from './channels.ts';
import { deadLetters } from './dead-letters.ts';
import { holders } from './holders.ts';
import { imports } from './imports.ts';
import { keys } from './keys.ts';
import { activity } from './activity.ts';
import { users } from './users.ts';

export const createOperations = (context: Context): Operations => ({
  ...activity(context),
  ...channels(context),
  ...holders(context),
  ...users(context),
  ...keys(context),
  ...imports(context),
  ...deadLetters(context),
  ...audit(context),
});
