import { schemaTests } from '@saleschannel/testing/schema-tests';
import { schema } from '../src/store/schema.ts';

schemaTests(new URL('../src/store/', import.meta.url), schema);
