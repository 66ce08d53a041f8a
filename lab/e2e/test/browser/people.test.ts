import { auditStories } from '../support/browser/audit.ts';
import { contractStories } from '../support/browser/documentation.ts';
import { inBrowser } from '../support/browser/in-browser.ts';
import { isolationStories } from '../support/browser/isolation.ts';
import { keyStories } from '../support/browser/keys.ts';
import { safetyStories } from '../support/browser/safety.ts';
import { searchStories } from '../support/browser/searches.ts';
import { statementStories } from '../support/browser/statements.ts';
import { webhookStories } from '../support/browser/webhooks.ts';

inBrowser({
  'sessions and keys': keyStories,
  safety: safetyStories,
  isolation: isolationStories,
  'audit trails': auditStories,
  statements: statementStories,
  searches: searchStories,
  webhooks: webhookStories,
  contract: contractStories,
});
