import { someAccessibilityStories } from '../support/browser/accessibility.ts';
import { inBrowser } from '../support/browser/in-browser.ts';
import { operatorStories } from '../support/browser/operators.ts';
import { somePseudoStories } from '../support/browser/pseudo.ts';

// One page of each kind. pages.more.test.ts has all.
inBrowser({
  accessibility: someAccessibilityStories,
  'another language': somePseudoStories,
  operators: operatorStories,
});
