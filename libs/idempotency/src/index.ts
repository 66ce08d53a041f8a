export { createKeyForgetting, forgetKeys } from './forget.ts';
export { answerOnce } from './once.ts';
export { scopeOf } from './scope.ts';
