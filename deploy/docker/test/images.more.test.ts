import { ALL_IN_ONE, imageNames } from '@saleschannel/installation';
import { describeImage } from './support/image.ts';
import { testServing } from './support/serving.ts';

for (const name of imageNames)
  if (name !== 'gateway') describeImage(name, name === ALL_IN_ONE ? testServing : undefined);
