import { runService } from '@saleschannel/runtime';
import { service } from './service.ts';

await runService(service);
