import type { Server } from './server.ts';
import { tokenOf } from './tokens.ts';
import type { World } from './world.ts';

export interface Answer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: answers have any shape
  body: any;
}

/** What somebody asked for and did not get. */
export interface Refusal {
  at: number;
  who: string;
  what: string;
  status: number;
  detail: string;
}

/** Sends requests as people's phones do: one after the other, and again until there is an answer. */
export interface People {
  /** What `who` does next, after all that they do already. */
  act(who: string, work: () => Promise<void>): Promise<void>;
  /** Asks until the server answers. A repeat that finds the work done counts as done. */
  ask(who: string, method: string, path: string, body?: unknown): Promise<Answer | null>;
  /** Once, and the answer whatever it is. */
  read(who: string, path: string): Promise<Answer>;
  refusals: Refusal[];
}

const firstRepeatMs = 5_000;
const longestRepeatMs = 60_000;

export function createPeople(world: World, server: Server, random: () => number): People {
  const refusals: Refusal[] = [];
  const last = new Map<string, Promise<void>>();

  async function send(who: string, method: string, path: string, body?: unknown): Promise<Answer> {
    const headers = {
      authorization: `Bearer ${await tokenOf(who)}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    };
    return server.request(path, {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  }

  return {
    refusals,
    act(who, work) {
      const before = last.get(who) ?? Promise.resolve();
      const done = world.spawn(
        who,
        async () => {
          await world.block(before);
          await work();
        },
        false,
      );
      last.set(
        who,
        done.catch(() => {}),
      );
      return done;
    },
    async ask(who, method, path, body) {
      for (let tries = 1; ; tries++) {
        const answer = await send(who, method, path, body).catch(() => null);
        if (answer && answer.status < 300) return answer;
        if (answer && answer.status < 500 && answer.status !== 429) {
          if (tries > 1 && method === 'DELETE') return answer;
          const detail = String(answer.body?.detail ?? '');
          refusals.push({ at: world.at(), who, what: `${method} ${path}`, status: answer.status, detail });
          return null;
        }
        const ceiling = Math.min(longestRepeatMs, firstRepeatMs * 2 ** (tries - 1));
        await world.wait(ceiling / 2 + (random() * ceiling) / 2);
      }
    },
    read: (who, path) => send(who, 'GET', path),
  };
}
