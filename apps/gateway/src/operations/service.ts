import { DomainError } from '@saleschannel/errors';
import type { Contract } from '../contract/document.ts';
import { docsHeaders, docsPage } from '../docs/page.ts';
import { json, type Answer } from '../http/answer.ts';
import type { Handler } from '../http/pipeline.ts';

export interface ServiceOptions {
  contract: Contract;
  isReady(): Promise<boolean>;
  isStopping(): boolean;
}

const RETRY_AFTER_SECONDS = 1;

/** The service itself: health, and its contract. */
export const service = ({ contract, isReady, isStopping }: ServiceOptions) => {
  const yaml: Answer = { status: 200, contentType: 'application/yaml', body: contract.text };
  const asJson = json(200, contract.document);
  const page: Answer = { status: 200, contentType: 'text/html; charset=utf-8', body: docsPage, headers: docsHeaders };
  return {
    getHealth: () => json(200, { status: 'ok' }),
    getReadiness: async () => {
      if (isStopping() || !(await isReady())) {
        throw new DomainError('unavailable', 'The service cannot take requests at the moment.', {
          retryAfterSeconds: RETRY_AFTER_SECONDS,
        });
      }
      return json(200, { status: 'ready' });
    },
    getContractYaml: () => yaml,
    getContractJson: () => asJson,
    getDocs: () => page,
  } satisfies Record<string, Handler>;
};
