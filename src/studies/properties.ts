import { sql } from 'drizzle-orm';
import type { Database } from '../db/database.ts';
import { isBlinded } from '../permissions/groups.ts';
import { surveys } from './survey-schema.ts';

/** Marks the surveys of a study that are for people of a blinded property, in the batch of whatever changes either. */
export const noteBlinded = (db: Database, investigation: string) =>
  db
    .update(surveys)
    .set({ blinded: sql`${isBlinded(surveys.for, investigation)}` as never })
    .where(
      sql`${surveys.investigationId} = ${investigation}
        and ${surveys.blinded} <> ${isBlinded(surveys.for, investigation)}`,
    );
