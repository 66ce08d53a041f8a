import type { QueryClient, QueryKey } from '@tanstack/react-query';

/**
 * Who asks, for the headers of a read that is made again and again. What a person opens is their act. What the page
 * then asks again by itself is nobody's, and keeps nobody signed in. Such a read must end when it has never succeeded.
 */
export const askedBy = ({ client, queryKey }: { readonly client: QueryClient; readonly queryKey: QueryKey }) => ({
  'X-Portal': client.getQueryData(queryKey) === undefined ? '1' : 'background',
});
