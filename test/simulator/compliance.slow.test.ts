import { describe, expect, test } from 'vitest';
import { findWrongCompliance } from '../../dev/simulator/compliance-checks.ts';
import type { SimulatedDatabase } from '../../dev/simulator/database.ts';
import { readFacts } from '../../dev/simulator/facts.ts';
import { simulate } from '../../dev/simulator/run.ts';
import { readScenario, type ScenarioFile } from '../../dev/simulator/scenario.ts';
import { reconcile } from '../../src/operations/reconcile.ts';
import { daily, diary, june } from './support.ts';

const habits = { share: 0.8, after: [2, 40, 300], snooze: [20] };
const phone = (timeZone: string) => [{ name: 'pixel', timeZone }];
const allDays = { from: june(8, '08:00:00'), until: june(11, '20:00:00') };

/** Days of two surveys around the world, with everything that a study can lose people to. */
const days = (changes: Partial<ScenarioFile> = {}): ScenarioFile =>
  diary({
    ...allDays,
    surveys: [
      { name: 'Diary', reminders: { ...daily, unlessAnswered: true, expiresAfter: 240 } },
      {
        name: 'Mood',
        reminders: {
          ...daily,
          recurrence: '* * * * *',
          windows: [
            { from: '09:00', to: '11:00', count: 2 },
            { from: '18:00', to: '22:00' },
          ],
          followUps: { every: 60, max: 2 },
        },
      },
    ],
    members: [
      { name: 'Ada', role: 'owner' },
      { name: 'Chidi', phones: phone('Asia/Tokyo'), habits },
      { name: 'Dana', phones: phone('America/Los_Angeles'), habits },
      { name: 'Emil', phones: phone('Pacific/Kiritimati'), habits: { ...habits, share: 0.2 } },
      { name: 'Fay', phones: phone('Pacific/Pago_Pago') },
    ],
    events: [
      { at: june(9, '09:00:00'), who: 'Dana', does: 'leaves' },
      { at: june(10, '12:00:00'), who: 'Fay', does: 'deletes-account' },
      { at: june(10, '10:00:00'), who: 'Chidi', does: 'pauses', until: june(11, '02:00:00') },
      { at: june(11, '01:00:00'), who: 'Ada', does: 'archives-survey', survey: 'Diary' },
      { at: june(11, '02:00:00'), who: 'Dana', does: 'joins' },
      { at: june(11, '18:00:00'), who: 'Emil', does: 'reports' },
    ],
    ...changes,
  });

/** The service as it is after `prepare`, and what the checks say of its compliance. */
const complianceOf = (file: ScenarioFile, prepare?: (database: SimulatedDatabase) => Promise<unknown>) =>
  simulate(readScenario(file), async (run) => findWrongCompliance(await readFacts(run)), {
    populate: async (_, database) => void (await prepare?.(database)),
  });

/** Replaces the trigger that counts by a changed one. */
async function changeCounting(database: SimulatedDatabase, edit: (sql: string) => string) {
  const [found] = await database.query("select sql from sqlite_master where name = 'notification_changed'");
  const [before, after] = [String(found?.sql), edit(String(found?.sql))];
  if (before === after) throw new Error('The trigger is not changed');
  await database.query('drop trigger notification_changed');
  await database.query(after);
}

describe('compliance', () => {
  test('adds up to what became of each occurrence, for any period, survey and attention', async () => {
    for (const seed of [1, 2]) expect(await complianceOf(days({ seed }))).toEqual([]);
  });

  test('after crashes, writes of which the answer was lost, and alarms that ring twice', async () => {
    const noon = { from: june(9, '02:50:00'), until: june(9, '03:20:00') };
    const faults: NonNullable<ScenarioFile['faults']> = [
      { what: 'crash', at: june(8, '12:00:00'), point: 'after-commit' },
      { what: 'crash', at: june(9, '19:00:00'), point: 'before-commit', downSeconds: 60 },
      { what: 'crash', at: june(10, '03:00:00'), point: 'after-publish' },
      { what: 'database', is: 'lost-after-commit', share: 0.5, ...noon },
      { what: 'database', is: 'lost-after-commit', share: 0.2, ...allDays },
      { what: 'alarms', is: 'twice', share: 0.5, ...allDays },
      { what: 'relay', is: 'down', from: june(10, '18:00:00'), until: june(11, '01:00:00') },
    ];
    for (const seed of [3, 4]) expect(await complianceOf(days({ seed, faults }))).toEqual([]);
  });

  test('stays when the notifications are purged', async () => {
    expect(await purged()).toEqual([]);
  });

  const lostOnUpdate = (column: string) => (sql: string) =>
    sql.replace(`(NEW.\`${column}\` IS NOT NULL) - (`, `(OLD.\`${column}\` IS NOT NULL) - (`);
  const lostOnSettling = (state: string) => (sql: string) =>
    sql.replace('NOT `same`', `NOT \`same\` AND NEW.\`state\` <> '${state}'`);
  test.each<[string, (sql: string) => string]>([
    ['what was shown', lostOnUpdate('shown_at')],
    ['what was opened', lostOnUpdate('opened_at')],
    ['what was answered', lostOnUpdate('answered_at')],
    ['what was sent', lostOnSettling('sent')],
    ['what failed', lostOnSettling('failed')],
    ['what was skipped', lostOnSettling('skipped')],
  ])('the checks notice that the total of %s is lost', async (_, edit) => {
    const down = { from: june(9, '08:00:00'), until: june(10, '02:00:00') };
    const file = days({ seed: 2, faults: [{ what: 'relay', is: 'down', ...down }] });
    expect(await complianceOf(file, (database) => changeCounting(database, edit))).toContainEqual(
      expect.stringMatching(/the totals: |the days: /),
    );
  });

  test('the checks notice that a participant is counted twice', async () => {
    const twice = (database: SimulatedDatabase) =>
      database.query(`create trigger twice after update of state on scheduled_notification
        when new.outcome is not null and old.outcome is null begin insert into participant_compliance
          values (new.user_id, new.survey_id, substr(new.occurrence, 1, 7),
            json_array(json_array(substr(new.occurrence, 1, 10), new.outcome, 0, 0, 0))) on conflict do nothing; end`);
    expect(await complianceOf(days(), twice)).toContainEqual(expect.stringMatching(/the counts of /));
  });

  test('the checks notice that an answered reminder is taken back', async () => {
    const forgetful = (database: SimulatedDatabase) =>
      database.query(`create trigger taken_back after update of answered_at on scheduled_notification
        when new.answered_at is not null and new.state is not null begin
          update scheduled_notification set state = 'invalidated' where user_id = new.user_id
            and survey_id = new.survey_id and revision = new.revision and occurrence = new.occurrence; end`);
    expect(await complianceOf(days(), forgetful)).toContainEqual(
      expect.stringMatching(/: answered at .*, and counts nowhere$/),
    );
  });

  test('the checks notice what is counted at each attempt to write it, when one is repeated', async () => {
    const faults: NonNullable<ScenarioFile['faults']> = [
      { what: 'database', is: 'lost-after-commit', share: 0.3, ...allDays },
    ];
    const eager = (database: SimulatedDatabase) =>
      database.query(`create trigger eager before insert on scheduled_notification
        when new.state = 'sent' and exists (select 1 from scheduled_notification n where n.user_id = new.user_id
          and n.survey_id = new.survey_id and n.revision = new.revision and n.occurrence = new.occurrence and n.state = 'sent')
        begin update survey_compliance set n = n + 1
          where survey_id = new.survey_id and date = substr(new.occurrence, 1, 10) and outcome = 'sent'; end`);
    expect(await complianceOf(days({ faults }), eager)).toContainEqual(expect.stringMatching(/the totals: /));
  });

  test('the checks notice counts that a purge takes along', async () => {
    const wrong = await purged((database) =>
      database.query(
        'create trigger forgetful before insert on participant_compliance begin select raise(ignore); end',
      ),
    );
    expect(wrong).toContainEqual(expect.stringMatching(/the counts of /));
  });
});

/** The same questions after the history is purged, and this many rows were. */
const purged = (prepare?: (database: SimulatedDatabase) => Promise<unknown>) =>
  simulate(
    readScenario(days()),
    async (run) => {
      const facts = await readFacts(run);
      const left = async () =>
        (await run.database.query('select count(*) as n from scheduled_notification'))[0]?.n;
      const before = Number(await left());
      run.world.jump(402 * 86_400_000);
      await run.world.spawn('reconcile', () => reconcile(run.server.services));
      expect(Number(await left())).toBeLessThan(before / 2);
      return findWrongCompliance(facts);
    },
    { populate: async (_, database) => void (await prepare?.(database)) },
  );
