import { parentPort } from 'node:worker_threads';
import { parseForm } from '@saleschannel/edge';
import { DomainError } from '@saleschannel/errors';
import { READY } from '../../threads/job-thread.ts';
import { checkStatement } from '../check.ts';
import { readStatement, type StatementKeys } from '../statement.ts';
import type { Checked, VerifyJob, VerifyOutcome } from './verifier.ts';

/** Worker thread that checks pasted statements, one by one. */

const FIELDS_AT_MOST = 4;
const SHOWN_CHARACTERS_AT_MOST = 16_384;

async function check(text: string, keys: StatementKeys): Promise<Checked> {
  const pasted = text.length > SHOWN_CHARACTERS_AT_MOST ? undefined : text;
  try {
    await checkStatement(text, keys);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { verdict: { state: 'invalid', reason }, statement: undefined, pasted };
  }
  const { id, volume, retiredAt, sandbox } = readStatement(text);
  const statement = { id, volume, retiredAt, isSandbox: sandbox === true };
  return { verdict: { state: 'valid' }, statement, pasted };
}

async function checkForm({ form, keys }: VerifyJob): Promise<VerifyOutcome> {
  try {
    const text = parseForm(form, FIELDS_AT_MOST).get('statement');
    return { checked: text === null ? undefined : await check(text, keys) };
  } catch (error) {
    if (error instanceof DomainError) return { refused: error.code };
    throw error;
  }
}

parentPort?.on('message', (job: VerifyJob) => void checkForm(job).then((outcome) => parentPort?.postMessage(outcome)));
parentPort?.postMessage(READY);
