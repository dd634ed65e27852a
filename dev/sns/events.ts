import type { ServerResponse } from 'node:http';
import { type Phone, toPhone } from './phones.ts';
import type { Change, Push, State } from './state.ts';

/** The beginning of each stream; a page that reconnects starts over from it. */
export interface Snapshot {
  phones: Phone[];
  pushes: Push[];
}

const MAX_PHONES = 100;
const MAX_PUSHES = 1000;
const HEARTBEAT_MS = 15_000;
/** A page that reads more slowly than pushes come is cut off; it reconnects and gets a snapshot. */
const MAX_UNSENT_BYTES = 4 * 1_048_576;

/** Streams the state to the inbox page as server-sent events: `snapshot`, then `phone`, `deleted`, `push`, `cleared`. */
export function streamEvents(response: ServerResponse, state: State): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  const write = (text: string): void => {
    if (response.writableLength > MAX_UNSENT_BYTES) response.destroy();
    else response.write(text);
  };
  const onChange = (change: Change): void => {
    const event = toEvent(change);
    if (event) write(event);
  };
  write(formatEvent('snapshot', snapshot(state)));
  state.on('change', onChange);
  const heartbeat = setInterval(() => write(':\n\n'), HEARTBEAT_MS).unref();
  response.on('close', () => {
    state.off('change', onChange);
    clearInterval(heartbeat);
  });
}

/** The newest phones, and the newest pushes to them and to phones that are gone. */
function snapshot(state: State): Snapshot {
  const endpoints = [...state.endpoints.values()].slice(-MAX_PHONES);
  const shown = new Set(endpoints.map(({ arn }) => arn));
  const pushes = state.pushes.slice(-MAX_PUSHES);
  return {
    phones: endpoints.map(toPhone),
    pushes: pushes.filter(({ endpointArn: arn }) => shown.has(arn) || !state.endpoints.has(arn)),
  };
}

function toEvent(change: Change): string | undefined {
  switch (change.type) {
    case 'application':
      return undefined;
    case 'endpoint':
      return formatEvent('phone', toPhone(change.endpoint));
    case 'endpoint-deleted':
      return formatEvent('deleted', { arn: change.arn });
    case 'push':
      return formatEvent('push', change.push);
    case 'cleared':
      return formatEvent('cleared', {});
  }
}

function formatEvent(event: string, content: unknown): string {
  return `event: ${event}\ndata: ${JSON.stringify(content)}\n\n`;
}
