import { inBrowser } from '../support/browser/in-browser.ts';
import { listStories } from '../support/browser/lists.ts';
import { moveStories } from '../support/browser/moves.ts';

// Both fill a trader's inventory with 100,000 bundles, once.
inBrowser({ 'long lists': listStories, moves: moveStories });
