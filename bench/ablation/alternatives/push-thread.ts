import { createPush } from '../../../src/platform/push-services.ts';
import type * as own from '../../../src/platform/server/push-thread.ts';
import { serverWays } from '../../../src/platform/server/server-ways.ts';

export const pushByThread: typeof own.pushByThread = (config) => createPush(config, serverWays);
