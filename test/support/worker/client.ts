import { exports } from 'cloudflare:workers';
import { type ClientOptions, createClient } from '../../../client/client.ts';

export const send = (request: Request): Promise<Response> => exports.default.fetch(request);

/** A client whose requests go through `through`, and the requests and waits that it made. */
export function clientOf(
  token: string,
  through: (request: Request, n: number) => Promise<Response>,
  more: Partial<ClientOptions> = {},
) {
  const sent: Request[] = [];
  const waits: number[] = [];
  const options: ClientOptions = {
    baseUrl: 'https://fieldbell.localhost/',
    token: () => token,
    fetch: (input) => {
      const request = input as Request;
      sent.push(request.clone() as Request);
      return through(request, sent.length);
    },
    sleep: async (ms) => waits.push(ms),
    ...more,
  };
  return { client: createClient(options), sent, waits };
}

export const refusal = (status: number, code: string, headers = {}) =>
  Response.json({ code, detail: code, status }, { status, headers });

export const lost = () => Promise.reject(new TypeError('network lost'));
