import { createPush } from '../../../src/platform/push-services.ts';
import type * as own from '../../../src/platform/server/push-thread.ts';
import { serverPost } from '../../../src/platform/server/sns-post.ts';

export const pushByThread: typeof own.pushByThread = (config) => createPush(config, serverPost());
