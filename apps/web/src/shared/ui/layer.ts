import { createContext, type RefObject } from 'react';

/** Where lists that open over the page belong: a modal dialog covers everything that is not within it. */
export const Layer = createContext<RefObject<HTMLElement | null> | undefined>(undefined);
