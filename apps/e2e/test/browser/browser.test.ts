import { accessibilityStories } from './accessibility.ts';
import { keyStories } from './keys.ts';
import { listStories } from './lists.ts';
import { moveStories } from './moves.ts';
import { safetyStories } from './safety.ts';
import { inBrowser } from './support/browser.ts';

inBrowser({
  'sessions and keys': keyStories,
  safety: safetyStories,
  'long lists': listStories,
  moves: moveStories,
  accessibility: accessibilityStories,
});
