import { databaseEnvironment } from '@saleschannel/database';
import { grpcEnvironment } from '@saleschannel/grpc';
import { brokerEnvironment } from '@saleschannel/messaging';
import { processEnvironment } from '@saleschannel/runtime';

export const environment = { ...processEnvironment, ...grpcEnvironment, ...databaseEnvironment, ...brokerEnvironment };
