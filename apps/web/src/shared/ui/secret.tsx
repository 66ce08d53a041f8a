import { useState } from 'react';
import { translate } from '../i18n/messages.ts';
import { Button } from './button.tsx';
import { Facts } from './page.tsx';

const text = translate({
  copy: 'Copy',
  copied: 'Copied',
});

/** Copies a text and confirms it. */
export function Copy({ value, label }: { readonly value: string; readonly label?: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(value);
    setCopied(true);
  };
  return (
    <Button look="quiet" onClick={() => void copy()}>
      {isCopied ? text.copied : (label ?? text.copy)}
    </Button>
  );
}

/** Values shown once, each with a copy button. */
export function Secret({ parts }: { readonly parts: readonly (readonly [name: string, value: string])[] }) {
  return (
    <Facts
      of={parts.map(([name, value]) => [
        name,
        <span key={name}>
          <code>{value}</code> <Copy value={value} />
        </span>,
      ])}
    />
  );
}
