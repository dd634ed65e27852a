import { DatabaseSync } from 'node:sqlite';
import type { FindOwners } from '../fakes/sns/app.ts';

interface Row {
  endpoint: string;
  name: string;
  timeZone: string;
}

/** The endpoint of a browser is the JSON of its subscription, which names the URL. */
const ownersSql = `
  select iif(platform = 'web', endpoint ->> 'endpoint', endpoint) as endpoint, user.name, device.time_zone as timeZone
  from device join user on user.id = device.user_id
  where iif(platform = 'web', endpoint ->> 'endpoint', endpoint) in (select value from json_each(?))`;

/** Finds the owners of phones in the service's database, since SNS itself is never told who they are. */
export const createFindOwners =
  (findFile: () => string): FindOwners =>
  async (endpointArns) => {
    let database: DatabaseSync | undefined;
    try {
      database = new DatabaseSync(findFile(), { readOnly: true });
      const rows = database.prepare(ownersSql).all(JSON.stringify(endpointArns)) as unknown as Row[];
      return Object.fromEntries(rows.map(({ endpoint, ...owner }) => [endpoint, owner]));
    } catch {
      // Not created or not migrated yet: until then phones go by their tokens.
      return {};
    } finally {
      database?.close();
    }
  };
