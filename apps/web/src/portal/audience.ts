import { isHolder, isOfChannel, type Me, type Role } from './me.ts';

/** Whom a page is for: all, users of an account holder, or those of a sales channel who have any of these roles. */
export type Audience = 'all' | 'holder' | readonly [Role, ...Role[]];

/** Whether somebody has any use for a page. What they may do is decided by the API. */
export function isAmong(me: Me, audience: Audience): boolean {
  if (audience === 'all') return true;
  return audience === 'holder' ? isHolder(me) : isOfChannel(me, ...audience);
}
