import { readAnswer, type World } from '../../support/people.ts';
import { settings } from './settings.ts';
import { Transcript } from './transcripts.ts';

/** A service in a process of its own, whose answers go into a transcript. */
export interface ServiceWorld extends World {
  /** Asked each time, since a restart may change it. */
  url: () => string;
  transcript: Transcript;
}

const { AUTH_ISSUER: issuer, AUTH_AUDIENCE: audience, AUTH_SECRET: secret } = settings('');

/** Names are unique within one service. */
export function newWorld(
  service: { url: string; sns: { url: string } },
  transcript = new Transcript({ recording: false }),
): ServiceWorld {
  return {
    url: () => service.url,
    snsUrl: service.sns.url,
    auth: { issuer, audience, secret },
    transcript,
    subjectOf: (name) => name.toLowerCase().replaceAll(' ', '-'),
    async send(path, init = {}, as = 'nobody') {
      const headers = { 'accept-encoding': 'identity', ...(init.headers as Record<string, string>) };
      const ask = () => fetch(service.url + path, { ...init, headers, redirect: 'manual' });
      let response = await ask();
      // Of Node's server, unread: the machine was so busy that for a minute the process did not come to it.
      while (response.status === 408) response = await ask();
      const answer = await readAnswer(response);
      transcript.add(`${as}: ${init.method ?? 'GET'} ${path}`, answer);
      return answer;
    },
  };
}
