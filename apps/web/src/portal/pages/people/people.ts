import { useQuery, useQueryClient, type UseMutationResult, type UseQueryResult } from '@tanstack/react-query';
import { unwrapResponse, api, asCsv, unwrapData, type Schemas } from '../../../shared/api/client.ts';
import { createSecret } from '../../../shared/api/idempotency.ts';
import { useSubmission } from '../../../shared/api/queries.ts';
import { isInName } from '../../../shared/format/folded.ts';
import type { Role } from '../../me.ts';

export type ChannelUser = Schemas['ChannelUser'];
export type Invitation = Schemas['Invitation'];

const peopleKey = ['people'];
const invitationsKey = ['invitations'];

export const usePeople = (): UseQueryResult<ChannelUser[]> =>
  useQuery({ queryKey: peopleKey, queryFn: ({ signal }) => unwrapData(api.GET('/user-services/users', { signal })) });

export const loadPeopleCsv = (): Promise<Blob> => unwrapData(api.GET('/user-services/users', asCsv));

export const useInvitations = (): UseQueryResult<Invitation[]> =>
  useQuery({
    queryKey: invitationsKey,
    queryFn: ({ signal }) => unwrapData(api.GET('/user-services/invitations', { signal })),
  });

/** Changes members and roles. Also reloads the current user, whose own roles may have changed. */
function useChange<T, V>(
  work: (value: V) => Promise<T>,
  nameOf?: (value: V) => string,
): UseMutationResult<T, Error, V> {
  const queries = useQueryClient();
  const onSettled = () =>
    Promise.all([peopleKey, invitationsKey, ['me']].map((queryKey) => queries.invalidateQueries({ queryKey })));
  return useSubmission({ mutationFn: work, onSettled, gcTime: 0 }, nameOf);
}

const binding = '/user-services/users/{userId}/saleschannel-binding/{salesChannelId}';

export interface RoleChange {
  readonly userId: string;
  readonly role: Role;
  readonly isGranted: boolean;
}

export const useChangeRole = (salesChannelId: string): UseMutationResult<unknown, Error, RoleChange> =>
  useChange(({ userId, role, isGranted }: RoleChange): Promise<unknown> => {
    const options = { params: { path: { userId, salesChannelId }, query: { role } } };
    return isGranted
      ? unwrapData(api.POST(`${binding}/roles`, options))
      : unwrapData(api.DELETE(`${binding}/roles`, options));
  }, JSON.stringify);

export const useUnbind = (salesChannelId: string): UseMutationResult<unknown, Error, string> =>
  useChange((userId: string) => unwrapData(api.DELETE(binding, { params: { path: { userId, salesChannelId } } })));

/** A user to add: by user id, or by their name at the identity provider. */
type NewUser = { readonly userId: string } | Schemas['UserIntroduction'];

export const useAddUser = (salesChannelId: string): UseMutationResult<unknown, Error, NewUser> =>
  useChange(async (newcomer: NewUser) => {
    const { userId } =
      'userId' in newcomer ? newcomer : await unwrapData(api.POST('/user-services/users', { body: newcomer }));
    return unwrapData(api.POST(binding, { params: { path: { userId, salesChannelId } } }));
  });

const isOpen = async ({ id }: Pick<Invitation, 'id'>): Promise<boolean> =>
  (await unwrapData(api.GET('/user-services/invitations'))).some((each) => each.id === id && each.status === 'PENDING');

export const useInvite = (): UseMutationResult<
  Pick<Schemas['CreatedInvitation'], 'token' | 'url'>,
  Error,
  Schemas['InvitationCreate']
> =>
  useChange(async (body: Schemas['InvitationCreate']) => {
    const create = () => unwrapResponse(api.POST('/user-services/invitations', { body }));
    const { token, url } = await createSecret(create, isOpen);
    return { token, url };
  });

export const useRevoke = (): UseMutationResult<unknown, Error, string> =>
  useChange((invitationId: string) =>
    unwrapData(api.DELETE('/user-services/invitations/{invitationId}', { params: { path: { invitationId } } })),
  );

type Person = Pick<Schemas['ChannelUser'], 'userId' | 'subject' | 'email' | 'name'>;

/** Users shown at once, because each has a row of checkboxes. */
export const SHOWN_AT_MOST = 200;

/** Display name. */
export const personName = ({ name, email, subject }: Person): string => name ?? email ?? subject;

/** People with a matching name, email or id, sorted by display name. */
export const findPeople = <P extends Person>(people: readonly P[], text: string | undefined): P[] =>
  people
    .filter(
      ({ userId, subject, email, name }) =>
        text === undefined ||
        [userId, subject, email, name].some((each) => typeof each === 'string' && isInName(text, each)),
    )
    .toSorted((one, other) => personName(one).localeCompare(personName(other), 'en'));
