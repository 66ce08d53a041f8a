import { DomainError } from '@saleschannel/errors';
import type { Contract } from '../contract/document.ts';
import { toDocsHeaders, docsPage, type DocsSignIn } from '../docs/contract-page.ts';
import { readPage, siteHeaders } from '../docs/site.ts';
import { createJsonAnswer, createRenderedAnswer, type Answer } from '../http/answer.ts';
import type { Handlers } from '../http/pipeline.ts';

export interface ServiceOptions {
  contract: Contract;
  isReady(): Promise<boolean>;
  isDraining(): boolean;
  docsFolder: string;
  docsSignIn: DocsSignIn | undefined;
}

const RETRY_AFTER_SECONDS = 1;

export function createServiceHandlers({ contract, isReady, isDraining, docsFolder, docsSignIn }: ServiceOptions) {
  const asYaml: Answer<200, never> = { status: 200, contentType: 'application/yaml', body: contract.text };
  const asJson = createRenderedAnswer(200, Buffer.from(JSON.stringify(contract.document)));
  const page = (body: string, headers: Record<string, string>): Answer<200, string> => ({
    status: 200,
    contentType: 'text/html; charset=utf-8',
    body,
    headers,
  });
  return {
    getHealth: () => createJsonAnswer(200, { status: 'ok' }),
    getReadiness: async () => {
      if (isDraining() || !(await isReady())) {
        throw new DomainError('unavailable', 'The service cannot serve requests at the moment. Retry later.', {
          retryAfterSeconds: RETRY_AFTER_SECONDS,
        });
      }
      return createJsonAnswer(200, { status: 'ready' });
    },
    getContractYaml: () => asYaml,
    getContractJson: () => asJson,
    // Shows the contract while the documentation is not built.
    getDocs: () => {
      const first = readPage(docsFolder, 'index.html');
      return first === undefined ? page(docsPage, toDocsHeaders(docsSignIn)) : page(first, siteHeaders);
    },
  } satisfies Partial<Handlers>;
}
