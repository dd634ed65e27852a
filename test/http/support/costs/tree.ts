import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type * as Migrations from '../../../../src/platform/server/migrations.ts';
import type * as Sqlite from '../../../../src/platform/server/open-sqlite.ts';
import type * as Defaults from '../../../../tools/defaults.ts';
import type * as Sns from '../../../../tools/fakes/sns/server.ts';
import { signToken } from '../../../support/people.ts';

/** A checkout of the project: its own code fills its own database. */
export interface Tree {
  folder: string;
  load<T>(file: string): Promise<T>;
  /** Of local mode. */
  settings: Record<string, string>;
}

export type Client = Pick<Sqlite.OpenDatabase['client'], 'execute'>;

/** Requests by people of the scenarios. */
export interface World {
  issuer: string;
  tokenOf(subject: string): Promise<string>;
  /** Signs up. */
  person(subject: string): Promise<SignedUp>;
}

export interface SignedUp {
  id: string;
  token: string;
  // biome-ignore lint/suspicious/noExplicitAny: answers of any shape
  post(path: string, body?: object): Promise<any>;
}

/** Enough people to read all the time, within the limit of each. */
const readers = Array.from({ length: 12 }, (_, n) => `reader-${n}`);

export const signUpReaders = (world: World): Promise<SignedUp[]> => Promise.all(readers.map(world.person));
export const readersOf = (world: World): Promise<string[]> => Promise.all(readers.map(world.tokenOf));

/** One who measures sends more than a person may. */
export const withoutRates = {
  RATE_LIMIT_USER: '0',
  RATE_LIMIT_ADDRESS: '0',
  RATE_LIMIT_CODE: '0',
  RATE_LIMIT_ENROL: '0',
};

export async function openTree(folder: string): Promise<Tree> {
  const load = <T>(file: string): Promise<T> => import(pathToFileURL(join(folder, file)).href);
  const { settingDefaults } = await load<typeof Defaults>('tools/defaults.ts');
  return {
    folder,
    load,
    settings: { ...settingDefaults, METRICS_TOKEN: 'a-token-of-the-operator' },
  };
}

/** A database with the tree's schema, for SQL beside the service. */
export async function openDatabase({ load }: Tree, file: string) {
  const { openSqlite } = await load<typeof Sqlite>('src/platform/server/open-sqlite.ts');
  const { migrate } = await load<typeof Migrations>('src/platform/server/migrations.ts');
  const database = await openSqlite(file);
  await migrate(database.client);
  // The service writes too.
  await database.client.execute('pragma busy_timeout = 20000');
  return database;
}

export async function startRelay({ load }: Tree) {
  const { startSns } = await load<typeof Sns>('tools/fakes/sns/server.ts');
  const { snsDefaults } = await load<typeof import('../../../../tools/fakes/sns/defaults.ts')>(
    'tools/fakes/sns/defaults.ts',
  );
  return startSns({ ...snsDefaults, port: 0 });
}

export const authOf = ({ settings }: Tree) => ({
  issuer: settings.AUTH_ISSUER ?? '',
  audience: settings.AUTH_AUDIENCE ?? '',
  secret: settings.AUTH_SECRET ?? '',
});

export function worldOf(tree: Tree, url: () => string): World {
  const auth = authOf(tree);
  const tokenOf = (subject: string) => signToken(auth, subject);
  return {
    issuer: auth.issuer,
    tokenOf,
    async person(subject) {
      const token = await tokenOf(subject);
      const post = async (path: string, body: object = {}): Promise<unknown> => {
        const answer = await fetch(`${url()}${path}`, {
          method: 'POST',
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          body: JSON.stringify(body),
        });
        if (answer.status === 429) {
          await sleep(1_000 * Number(answer.headers.get('retry-after') ?? 1));
          return post(path, body);
        }
        if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
        return answer.json();
      };
      const { identifier: id } = (await post('/user', { name: subject })) as { identifier: string };
      return { id, token, post };
    },
  };
}
