import { createHash, createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from '../settings/settings.ts';

const space = 'miniflare-D1DatabaseObject';

/** The file of the local D1 database, which wrangler names by a hash of the database's id. */
export function d1File(stateFolder: string): string {
  const configuration = readFileSync(join(projectFolder, 'wrangler.toml'), 'utf8');
  const [, id = ''] = /^database_id = "([^"]+)"/m.exec(configuration) ?? [];
  const key = createHash('sha256').update(space).digest();
  const hash = (data: string | Buffer) => createHmac('sha256', key).update(data).digest().subarray(0, 16);
  const name = hash(id);
  return join(stateFolder, 'v3/d1', space, `${Buffer.concat([name, hash(name)]).toString('hex')}.sqlite`);
}
