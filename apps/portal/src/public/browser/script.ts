import { checkStatement } from '../check.ts';

/** Checks signatures in the reader's browser: of the statement on the page, and of a pasted statement. */

type Members = Awaited<ReturnType<typeof checkStatement>>;

class NotAvailable extends Error {}

async function read(path: string): Promise<string> {
  const answer = await fetch(path).catch(() => undefined);
  if (!answer?.ok) throw new NotAvailable(`${path} is not available at the moment.`);
  return answer.text();
}

function show(place: Element, className: string, word: string, text: string): void {
  const strong = document.createElement('strong');
  strong.className = className;
  strong.textContent = word;
  place.replaceChildren(strong, ` ${text}`);
}

const memberOf = (statement: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((part, name) => (part as Record<string, unknown> | undefined)?.[name], statement);

/** Compares the signed values on the page with the statement. */
function compareWithPage(statement: unknown): void {
  for (const element of document.querySelectorAll<HTMLElement>('[data-signed]')) {
    const path = String(element.dataset['signed']);
    const shown = element.getAttribute('datetime') ?? element.getAttribute('value') ?? element.textContent;
    const signed = memberOf(statement, path);
    if ((signed === true ? 'true' : signed) !== shown)
      throw new Error(`${path} on this page differs from the signed value.`);
  }
}

const canCheck = (): Promise<boolean> =>
  crypto.subtle.generateKey('Ed25519', false, ['sign', 'verify']).then(
    () => true,
    () => false,
  );

/** @param onValid gets a valid statement, and throws if it differs from the page */
async function check(place: Element, text: Promise<string>, onValid: (statement: Members) => void): Promise<void> {
  try {
    const { keys } = JSON.parse(await read('/.well-known/statement-keys.json')) as { keys: never[] };
    onValid(await checkStatement(await text, keys));
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    if (error instanceof NotAvailable) show(place, 'wait', 'Signature not checked:', detail);
    else if (!(await canCheck())) show(place, 'wait', 'Signature not checked:', 'your browser lacks Ed25519.');
    else show(place, 'bad', 'Signature invalid.', detail);
  }
}

const signature = document.querySelector<HTMLElement>('#signature');
if (signature?.textContent.includes('valid')) {
  void check(signature, read(`/r/${signature.dataset['statement']}.json`), (statement) => {
    compareWithPage(statement);
    show(signature, 'ok', 'Signature valid', '· checked by this server and in your browser');
  });
}

const form = document.querySelector<HTMLFormElement>('#check');
const area = form?.querySelector('textarea');
const result = document.querySelector('#result');
if (form && area && result) {
  const file = form.querySelector<HTMLInputElement>('input[type=file]');
  file?.parentElement?.removeAttribute('hidden');
  file?.addEventListener('change', () => void file.files?.[0]?.text().then((text) => (area.value = text)));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void check(result, Promise.resolve(area.value), ({ id, volume, retiredAt, sandbox }) => {
      const link = document.createElement('a');
      link.href = `/r/${String(id)}`;
      link.textContent = 'View the current statement';
      const origin = sandbox === true ? 'From a sandbox: no CO₂ was removed. ' : '· ';
      show(result, 'ok', 'Signature valid', `${origin}${String(volume)} t, retired at ${String(retiredAt)}. `);
      result.append(link);
    });
  });
}
