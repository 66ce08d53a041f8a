export {
  createDemo,
  operatorOf,
  type Demo,
  type DemoChannel,
  type DemoTarget,
  type DemoTrader,
  type DemoUser,
} from './demo.ts';
export { fetchToken, httpClient, type Answer, type Authorization, type HttpClient } from './http.ts';
export { runMainJob } from './main-job.ts';
export { localFolder, projectRoot } from './paths.ts';
export { services, keyHolders } from './services.ts';
export { administrationOf, demoOf, startStack, type Stack, type StackOptions } from './stack.ts';
