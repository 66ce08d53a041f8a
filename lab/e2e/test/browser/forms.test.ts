import { channelStories } from '../support/browser/channels.ts';
import { dialogStories } from '../support/browser/dialogs.ts';
import { formStories } from '../support/browser/forms.ts';
import { inBrowser } from '../support/browser/in-browser.ts';
import { submissionStories } from '../support/browser/submissions.ts';

inBrowser({
  submissions: submissionStories,
  forms: formStories,
  dialogs: dialogStories,
  channels: channelStories,
});
