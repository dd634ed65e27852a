import { createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import worker from '../../../src/worker.ts';
import {
  type Person,
  type Send,
  signToken,
  signUp as signUpIn,
  stranger as strangerIn,
  type World,
} from '../people.ts';
import { newPhone as newPhoneIn } from '../phones.ts';
import { newStudy } from '../studies.ts';
import { readChecked } from './contract.ts';

/**
 * The Worker as the platform calls it. Not through `exports.default.fetch`: the test pool's way back into the Worker
 * takes longer with each request of a file, 4 ms at first and 80 ms after 500.
 */
export const send: Send = async (path, init = {}) => {
  const request = new Request(`https://fieldbell.localhost${path}`, init) as Parameters<
    typeof worker.fetch
  >[0];
  const response = await worker.fetch(request, env, createExecutionContext());
  return readChecked(init.method ?? 'GET', path, response);
};

let people = 0;

export const world: World = {
  send,
  auth: { issuer: env.AUTH_ISSUER, audience: env.AUTH_AUDIENCE, secret: env.AUTH_SECRET },
  subjectOf: (name) => `${name.toLowerCase()}-${++people}`,
  snsUrl: env.SNS_ENDPOINT.replace(/\/$/, ''),
};

export const tokenOf = (subject: string, claims?: Parameters<typeof signToken>[2]) =>
  signToken(world.auth, subject, claims);
export const stranger = (name: string) => strangerIn(world, name);
export const signUp = (name: string, profile?: object) => signUpIn(world, name, profile);
export const sleepStudy = (reminders: object | null = null) => newStudy(world, { reminders });
export const newPhone = (of: Person, timeZone = 'Europe/Paris', platform?: string) =>
  newPhoneIn(world, of, timeZone, platform);
