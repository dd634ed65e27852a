import { Agent } from 'undici';
import { maxAnswerBytes, type WebPost } from '../../push/web-push/push.ts';
import { dispatch } from './dispatch.ts';

/** Most connections to a push service; further pushes wait for one. */
const connections = 128;

/** Posts to the push services of browsers by the client of Node's `fetch`, without the layers that treble its CPU. */
export const webPushPost =
  (agent = new Agent({ connections })): WebPost =>
  async ({ origin, pathname, search }, request, onStatus) => {
    const options = { origin, path: `${pathname}${search}`, method: 'POST', ...request } as const;
    const { text } = await dispatch(agent, options, maxAnswerBytes, (status, headers) =>
      onStatus(status, { get: (name) => [headers[name]].flat()[0] ?? null }),
    );
    return text;
  };
