import type { PushMessage } from '../../services.ts';
import { maxTextBytes } from './encryption.ts';

/**
 * The text of a push: a declarative web push (W3C, "Push API", "Declarative push message"), which Safari shows and opens by
 * itself, with what other browsers hand to the service worker. A worker of an earlier build reads the keys of the first
 * level, so both are there where 4 KB have room for both; a long text is declared only, and one for which that has no room is
 * left to the worker. Without an `origin` the address is relative to the page's, as the standard has it.
 */
export function payloadOf(message: PushMessage, origin = ''): string {
  const { title, body, data, collapseId: tag } = message;
  const { survey, notification } = data;
  const query = survey && notification ? `?survey=${survey}&notification=${notification}` : '';
  const navigate = `${origin}/p/${query}`;
  const declared = { web_push: 8030, notification: { title, body, navigate, tag, data } };
  const plain = { title, body, data };
  const texts = [{ ...declared, ...plain }, declared, plain].map((payload) => JSON.stringify(payload));
  return texts.find(hasRoom) ?? JSON.stringify(plain);
}

const hasRoom = (text: string) => new TextEncoder().encode(text).length <= maxTextBytes;
