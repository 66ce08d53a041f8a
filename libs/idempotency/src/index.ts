export { createKeyCleanup, deleteExpiredKeys } from './records.ts';
export { answerOnce, recordOnce } from './once.ts';
export { channelScope, holderScope, scopeOf } from './scope.ts';
