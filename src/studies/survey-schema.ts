import { sql } from 'drizzle-orm';
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { PropertyRule } from '../permissions/groups.ts';
import { creation } from './schema.ts';

/** Surveys of a study: questions and reminders. */
export const surveys = sqliteTable(
  'survey',
  {
    id: text().primaryKey(),
    investigationId: text('investigation_id').notNull(),
    remindersRevision: integer('reminders_revision').notNull().default(0),
    /** When this revision of the reminders began: occurrences due before it do not exist. */
    remindersSince: integer('reminders_since').notNull(),
    /** Pushes of earlier revisions do not matter: this one may remind people again on the same date. */
    remindsAgain: integer('reminds_again', { mode: 'boolean' }).notNull().default(false),
    createdAt: integer('created_at').notNull(),
    archivedAt: integer('archived_at'),
    /** Those who take it. Null: everybody. */
    for: text({ mode: 'json' }).$type<PropertyRule>(),
    /** It is for people of a blinded property, so that owners alone see it. Kept by `noteBlinded`. */
    blinded: integer({ mode: 'boolean' }).notNull().default(false),
    /** The secret from which times within windows, and weekdays, are drawn: 64 hexadecimal digits. It is in no answer, export or log. */
    windowSecret: text('window_secret'),
    ...creation,
    /**
     * The reminders without `translations`, which may be fifty times as long. It stands before long columns: SQLite reads a
     * row from its beginning.
     */
    plainReminders: text('plain_reminders').generatedAlwaysAs(
      sql`case when json_valid(reminders) then json_remove(reminders, '$.translations') else reminders end`,
      { mode: 'stored' },
    ),
    /** The survey whose responses trigger the reminders. */
    triggeredBy: text('triggered_by').generatedAlwaysAs(
      sql`case when json_valid(reminders) then reminders ->> '$.trigger.survey' end`,
      { mode: 'stored' },
    ),
    name: text().notNull(),
    reminders: text({ mode: 'json' }).$type<StoredReminders>(),
    items: text({ mode: 'json' }).$type<SurveyItem[]>().notNull(),
  },
  (t) => [
    index('survey_by_investigation').on(t.investigationId, t.createdAt, t.id),
    // Whether a response triggers anything: in studies without triggers nothing is read for it.
    index('survey_triggered').on(t.triggeredBy).where(sql`triggered_by is not null`),
    // Surveys of blinded properties are few, and mostly there are none.
    index('survey_blinded').on(t.id).where(sql`blinded`),
    index('survey_blinded_in').on(t.investigationId, t.id).where(sql`blinded`),
  ],
);

export interface SurveyItem {
  identifier: string;
  label: string;
  /** `answer-shapes.ts` has checked it. */
  answer?: AnswerKind | undefined;
}

interface Option {
  value: string;
  label: string;
}

/** How an item is answered; without `required` a response need not answer it. */
export type AnswerKind = { required?: boolean | undefined } & (
  | { kind: 'text' | 'yes-no' | 'time' }
  | { kind: 'date'; sets?: string | undefined }
  | { kind: 'number'; min?: number | undefined; max?: number | undefined }
  | { kind: 'choice' | 'choices'; options: Option[] }
  | { kind: 'scale'; min: number; max: number; options?: Option[] | undefined }
);

export interface StoredReminders {
  type: 'fixed' | 'rolling' | 'triggered';
  recurrence: string | null;
  /** Fixed only, as the next; absent: the download. */
  from?: 'download' | 'joined' | { date: string } | undefined;
  days?: number[] | { burst?: number | undefined; every: number; times: number } | undefined;
  pick?: number | undefined;
  clock?: 'participant' | 'study' | undefined;
  /** Triggered only: `where` has the answers by item. */
  trigger?:
    | {
        survey: string;
        where?: Record<string, string[]> | undefined;
        after: number;
        at?: string | undefined;
        each: boolean;
      }
    | undefined;
  ends: number | null;
  delay: number | null;
  unlessAnswered: boolean;
  expiresAfter: number;
  windows?: { from: string; to: string; count: number }[] | undefined;
  minGap?: number | undefined;
  notification: { subject: string; body: string };
  /** By language tag. */
  translations?: Record<string, { subject: string; body: string }> | undefined;
  answerWithin?: number | undefined;
  lateAnswers?: 'accept' | 'refuse' | undefined;
  followUps?: { every: number; max: number; stop: 'answered' | 'opened' } | null | undefined;
}
