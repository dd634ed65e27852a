import { env } from 'cloudflare:workers';
import { expect } from 'vitest';
import { sweep } from '../../../src/operations/jobs.ts';
import { createServices } from '../../../src/platform/cloudflare/services.ts';
import type { Person } from '../../support/people.ts';
import type { Phone } from '../../support/phones.ts';
import { later, minutes } from '../../support/worker/clock.ts';
import { callSns, endpointsOf, setEndpoint } from '../../support/worker/sns.ts';
import { newPhone } from '../../support/worker/world.ts';

const android = 'arn:aws:sns:eu-central-1:000000000000:app/GCM/fieldbell-android';
export const newToken = () => `token-${crypto.randomUUID()}`;
export const given = (token: string) => ({ platform: 'android', token, timeZone: 'Europe/Paris' });

/** The work of the next minutes: one run removes, and one finds it done. */
export async function sweepTwice() {
  for (let n = 0; n < 2; n++) {
    later(2 * minutes);
    await sweep(createServices(env));
  }
  expect((await env.DB.prepare('select * from device where user_id is null').all()).results).toEqual([]);
}

export async function tenPhones(of: Person): Promise<[Phone, ...Phone[]]> {
  const phones = [await newPhone(of)];
  while (phones.length < 10) {
    later(1);
    phones.push(await newPhone(of));
  }
  later(1);
  return phones as [Phone, ...Phone[]];
}

/** Somebody gives the phone's endpoint another token behind our back, and the phone's token another endpoint. */
export async function swapEndpoint(phone: Phone): Promise<string> {
  const [old] = await endpointsOf(phone.token);
  const token = newToken();
  await setEndpoint(old?.arn ?? '', { Token: token });
  await callSns('CreatePlatformEndpoint', { PlatformApplicationArn: android, Token: phone.token });
  return token;
}

export interface Act {
  by: Person;
  method: 'post' | 'patch';
  path: string;
  body: object;
  /** All that the relay may have an endpoint for. */
  tokens: string[];
  /** Those that it has one for in the end. */
  kept: string[];
}

/** An action of a user by which a device gives up an endpoint. */
export const acts: Record<string, (anna: Person, ben: Person) => Promise<Act>> = {
  'an eleventh phone retires the first': async (anna) => {
    const [first, ...rest] = (await tenPhones(anna)).map(({ token }) => token);
    const token = newToken();
    const post = { by: anna, method: 'post' as const, path: '/user/me/device', body: given(token) };
    return { ...post, tokens: [first ?? '', ...rest, token], kept: [...rest, token] };
  },
  'a phone registers again and gets another endpoint': async (anna) => {
    const phone = await newPhone(anna);
    const tokens = [phone.token, await swapEndpoint(phone)];
    const post = { by: anna, method: 'post' as const, path: '/user/me/device', body: given(phone.token) };
    return { ...post, tokens, kept: [phone.token] };
  },
  'a phone moves to another user with another endpoint': async (anna, ben) => {
    const phone = await newPhone(anna);
    const tokens = [phone.token, await swapEndpoint(phone)];
    const post = { by: ben, method: 'post' as const, path: '/user/me/device', body: given(phone.token) };
    return { ...post, tokens, kept: [phone.token] };
  },
  'a phone is given a token that has an endpoint': async (anna) => {
    const phone = await newPhone(anna);
    const token = newToken();
    await callSns('CreatePlatformEndpoint', { PlatformApplicationArn: android, Token: token });
    const patch = { by: anna, method: 'patch' as const, path: `/device/${phone.id}`, body: { token } };
    return { ...patch, tokens: [phone.token, token], kept: [token] };
  },
};

/** The owners of the endpoints at the relay. */
export const tokensAtRelay = async (tokens: string[]) =>
  (await Promise.all(tokens.map(endpointsOf)))
    .flat()
    .map(({ token }) => token)
    .toSorted();
