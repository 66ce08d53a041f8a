export { createKeyForgetting, forgetKeys } from './forget.ts';
export { answerOnce, recordOnce } from './once.ts';
export { channelScope, holderScope, scopeOf } from './scope.ts';
