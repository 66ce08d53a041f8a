import { imageNames } from '@saleschannel/installation';
import { describeImage } from './support/image.ts';

for (const name of imageNames) if (name !== 'gateway') describeImage(name);
