import { programNames } from '@saleschannel/installation';
import { describeImage } from './support/image.ts';

for (const name of programNames) if (name !== 'gateway') describeImage(name);
