import { runService } from '@saleschannel/runtime';
import { service } from './app.ts';

await runService(service);
