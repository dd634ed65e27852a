import { Worker } from 'node:worker_threads';
import { pushByThread } from '../../../src/platform/server/push-thread.ts';

/* A process whose thread of pushes ends under a push. */
Worker.prototype.postMessage = function end() {
  this.terminate();
};
const message = { endpoint: 'arn', title: '', body: '', data: {}, collapseId: 'c', ttlSeconds: 1 };
setInterval(() => {}, 60_000);
pushByThread({}).send(message);
