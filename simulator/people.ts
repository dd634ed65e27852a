import type { Server } from './server.ts';
import { tokenOf } from './tokens.ts';
import type { World } from './world.ts';

export interface Answer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: answers have any shape
  body: any;
}

/** A request that the service refused. */
export interface Refusal {
  at: number;
  who: string;
  what: string;
  status: number;
  detail: string;
}

/** Sends requests as people's phones do: one after the other, and again until there is an answer. */
export interface People {
  /** Does `work` after everything that `who` is already doing. */
  act(who: string, work: () => Promise<void>): Promise<void>;
  /** Asks until the server answers. Null: refused. A repeated DELETE that finds nothing left has succeeded. */
  ask(who: string, method: string, path: string, body?: unknown): Promise<Answer | null>;
  /** Asks once, and returns any answer. Rejects when there is none. */
  once(who: string, method: string, path: string, body?: unknown): Promise<Answer>;
  /** Sends this request once, whatever it is, and returns any answer. */
  raw(who: string, path: string, init: RawRequest): Promise<Answer>;
  refusals: Refusal[];
}

export interface RawRequest {
  method: string;
  headers: Record<string, string>;
  body?: string;
}

const baseRetryMs = 5_000;
const maxRetryMs = 60_000;

export function createPeople(world: World, server: Server, draw: (who: string) => number): People {
  const refusals: Refusal[] = [];
  const last = new Map<string, Promise<void>>();
  const endedAt = new Map<string, number>();

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
          // Of two requests at one moment the service could not tell which is the later.
          if (endedAt.get(who) === world.at()) await world.wait(1);
          await work();
          endedAt.set(who, world.at());
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
      for (let attempt = 1; ; attempt++) {
        const answer = await send(who, method, path, body).catch(() => null);
        if (answer && answer.status < 300) return answer;
        if (answer && answer.status < 500 && answer.status !== 429) {
          if (attempt > 1 && method === 'DELETE') return answer;
          const detail = String(answer.body?.detail ?? '');
          refusals.push({ at: world.at(), who, what: `${method} ${path}`, status: answer.status, detail });
          return null;
        }
        const ceiling = Math.min(maxRetryMs, baseRetryMs * 2 ** (attempt - 1));
        await world.wait(ceiling / 2 + (draw(who) * ceiling) / 2);
      }
    },
    once: send,
    raw: async (who, path, { headers, ...init }) =>
      server.request(path, {
        ...init,
        headers: { ...headers, authorization: `Bearer ${await tokenOf(who)}` },
      }),
  };
}
