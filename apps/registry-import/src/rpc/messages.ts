import type { ResponseOf } from '@saleschannel/grpc';
import type { AccountHolder } from '../domain/account-holder.ts';
import type { ImportProgress } from '../store/imports.ts';

export const toAccountHolderMessage = ({
  id,
  suspendedAt,
  suspendedReason,
  ...accountHolder
}: AccountHolder): ResponseOf<'registryImport.GetAccountHolder'> => ({
  accountHolderId: id,
  ...accountHolder,
  ...(suspendedAt === null ? {} : { suspendedAt }),
  ...(suspendedReason === null ? {} : { suspendedReason }),
});

export const toImportMessage = ({
  completedAt,
  ...progress
}: ImportProgress): ResponseOf<'registryImport.GetImport'> =>
  completedAt === null ? progress : { ...progress, completedAt };
