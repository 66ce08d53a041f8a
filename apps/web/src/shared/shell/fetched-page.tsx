import { lazy, useState, type ComponentType } from 'react';
import type { PageEntry, PageProps } from './pages.ts';

export interface FetchedPage {
  readonly path: string;
  readonly Content: ComponentType<PageProps>;
  /** Fetches it before it is shown. What fails now is tried again when it is. */
  fetch(): void;
}

/**
 * A page that is drawn at once where it was fetched before. Otherwise React waits for it, and holds back what comes
 * for 300 ms so that nothing flickers.
 */
export function fetchedPage({ path, load }: Pick<PageEntry<never>, 'path' | 'load'>): FetchedPage {
  let fetched: ComponentType<PageProps> | undefined;
  const fetch = async () => {
    const page = await load();
    fetched = page.default;
    return page;
  };
  const Later = lazy(fetch);
  return {
    path,
    Content: (props) => {
      // One of the two for as long as it is shown: the other one would begin anew.
      const [Page] = useState(() => fetched ?? Later);
      return <Page {...props} />;
    },
    fetch: () => void fetch().catch(() => undefined),
  };
}
