import { accessibilityStories } from './support/browser/accessibility.ts';
import { keyStories } from './support/browser/keys.ts';
import { listStories } from './support/browser/lists.ts';
import { moveStories } from './support/browser/moves.ts';
import { safetyStories } from './support/browser/safety.ts';
import { inBrowser } from './support/browser/in-browser.ts';

inBrowser({
  'sessions and keys': keyStories,
  safety: safetyStories,
  'long lists': listStories,
  moves: moveStories,
  accessibility: accessibilityStories,
});
