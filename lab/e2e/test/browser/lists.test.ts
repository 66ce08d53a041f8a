import { inBrowser } from '../support/browser/in-browser.ts';
import { LARGE_BUNDLES } from '../support/browser/large-inventory.ts';
import { listStories } from '../support/browser/lists.ts';
import { moveStories } from '../support/browser/transfers.ts';

// Both fill a trader's inventory once. lists.more.test.ts has a larger one.
inBrowser({ 'long lists': listStories(LARGE_BUNDLES), moves: moveStories });
