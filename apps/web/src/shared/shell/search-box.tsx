import { useEffect, useRef } from 'react';
import { useLocation } from 'wouter';
import { translate } from '../i18n/messages.ts';

const text = translate({
  search: 'Search by name or id',
});

const isTyping = ({ target }: KeyboardEvent): boolean =>
  target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable], dialog') !== null;

/** Searches by id or part of a name. The key "/" focuses it. */
export function SearchBox() {
  const [, navigate] = useLocation();
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const focus = (event: KeyboardEvent): void => {
      if (event.key !== '/' || isTyping(event)) return;
      event.preventDefault();
      input.current?.focus();
    };
    document.addEventListener('keydown', focus);
    return () => document.removeEventListener('keydown', focus);
  }, []);
  return (
    <form
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        navigate(`/search?${new URLSearchParams({ q: input.current?.value.trim() ?? String() })}`);
      }}
    >
      <input
        ref={input}
        type="search"
        aria-label={text.search}
        placeholder={text.search}
        maxLength={128}
        aria-keyshortcuts="/"
      />
    </form>
  );
}
