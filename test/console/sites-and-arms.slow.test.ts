import { expect, test } from 'vitest';
import { enrol } from '../support/participants.ts';
import { created, type Person, signUp, stranger } from '../support/people.ts';
import { newMember, newStudy } from '../support/studies.ts';
import {
  describeConsole,
  expectAccessible,
  expectFitsPhone,
  savedBy,
  settled,
  type Visit,
} from './support/console.ts';
import { arms, choose, inviteStaff, makeCodes, said, setUpTrial, sites } from './support/trial.ts';

let studies = 0;

const site = { name: 'site', values: ['Lyon', 'Paris'] };
const arm = { name: 'arm', values: ['a', 'b'], blinded: true };

// biome-ignore lint/suspicious/noExplicitAny: answers of any shape
type Body = any;

describeConsole('a trial with sites and arms', (get) => {
  test('is set up by its guide alone, and everybody sees their part', async () => {
    const { world } = get();
    const ada = await signUp(world, 'Ada of the trial');
    const people = [
      await stranger(world, 'Mona of Lyon'),
      await stranger(world, 'Piet of Paris'),
      await stranger(world, 'Nora of Nice'),
    ] as const;
    const dieter = await stranger(world, 'Dieter Daten');
    const page = await get().visit(ada);
    const study = await setUpTrial(page);
    const [mona, piet, nora] = people;
    await inviteStaff(page, {
      monitors: { Lyon: mona.email, Paris: piet.email, Nice: nora.email },
      dataManager: dieter.email,
    });
    for (const person of [...people, dieter])
      created(await person.post('/user', { name: person.name, timeZone: 'Europe/Paris' }));
    await makeCodes(page, 1);
    const path = `/investigation/${study}`;
    const { enrolments } = (await ada.get(`${path}/enrolments`)).body;
    expect(enrolments.map(({ properties }: Body) => `${properties.site} ${properties.arm}`).sort()).toEqual(
      sites.flatMap((one) => arms.map((other) => `${one} ${other}`)).sort(),
    );
    for (const { code, properties } of enrolments)
      expect((await enrol(world, code, { name: `Pat ${properties.site}${properties.arm}` })).status).toBe(
        201,
      );

    await choose(page, 'Members');
    const rows = page.getByRole('table', { name: 'Members of the study' });
    await rows
      .getByRole('row')
      .filter({ hasText: 'Pat Niceb' })
      .getByRole('cell', { name: 'Nice', exact: true })
      .waitFor();
    const ofMona = rows.getByRole('row').filter({ hasText: mona.name });
    await ofMona.getByRole('button', { name: `Change what ${mona.name} sees: Lyon only` }).waitFor();
    await expectAccessible(page);

    // Nobody but owners learns of arms, and Lyon's monitor of no other site.
    const seen = await get().visit(mona, `/studies/${study}/overview`);
    for (const screen of [
      'overview',
      'participants',
      'compliance',
      'data',
      'surveys',
      'members',
      'activity',
    ]) {
      await seen.goto(`${get().service.url}/console/studies/${study}/${screen}`);
      await settled(seen);
      await seen.getByText('You see Lyon only').waitFor();
      const text = await seen.locator('body').innerText();
      expect(text, screen).not.toMatch(/Pat (?:Paris|Nice)|Questions of the week|\barm\b/);
    }
    await seen.goto(`${get().service.url}/console/studies/${study}/participants`);
    await seen.getByText('Pat Lyona').first().waitFor();
    await seen.getByText('Pat Lyonb').first().waitFor();
    await expectFitsPhone(seen);
    const manager = await get().visit(dieter, `/studies/${study}/participants`);
    await manager.getByText('Pat Niceb').first().waitFor();
    expect(await manager.getByText('You see').count()).toBe(0);
    expect(await manager.getByRole('combobox', { name: /^arm/ }).count()).toBe(0);
    await choose(manager, 'Surveys');
    await manager.getByRole('link', { name: 'Evening' }).waitFor();
    expect(await manager.getByText('Questions of the week').count()).toBe(0);
    for (const window of [page, seen, manager]) expect(window.complaints).toEqual([]);
  });
});

describeConsole('groups of people and cases', (get) => {
  /** A study with two sites and blinded arms: Chidi is of Lyon and arm a, Dana of Paris and arm b; Mona sees Lyon. */
  async function twoSites() {
    const { world } = get();
    const study = await newStudy(world, { of: `groups ${studies++}` });
    const path = `/investigation/${study.id}`;
    const { owner, responder: chidi, other: dana } = study;
    const must = (answer: { status: number; text: string }) => expect(answer.status, answer.text).toBe(200);
    must(await owner.patch(path, { properties: [site, arm] }));
    must(await owner.patch(`${path}/member/${chidi.id}`, { properties: { site: 'Lyon', arm: 'a' } }));
    must(await owner.patch(`${path}/member/${dana.id}`, { properties: { site: 'Paris', arm: 'b' } }));
    const mona = await newMember(world, study, `Mona ${studies}`, 'monitor');
    must(await owner.patch(`${path}/member/${mona.id}`, { scope: { site: ['Lyon'] } }));
    const [night, day] = [
      created(await chidi.post(`${path}/case`, { label: 'Night of Lyon' })).identifier,
      created(await dana.post(`${path}/case`, { label: 'Day of Paris' })).identifier,
    ];
    await chidi.post(`/survey/${study.survey}/response`, { case: night, items: { q1: 'well' } });
    await dana.post(`/survey/${study.survey}/response`, { case: day, items: { q1: 'badly' } });
    const open = (person: Pick<Person, 'token'>, screen: string): Promise<Visit> =>
      get().visit(person, `/studies/${study.id}${screen}`);
    return { ...study, path, mona, night, day, open };
  }

  test('a value in use stays, and the page says so', async () => {
    const { owner, open } = await twoSites();
    const page = await open(owner, '/settings');
    const row = page.getByRole('group', { name: 'Property 1' });
    await row.getByLabel('Values').fill('Paris');
    await page.getByRole('button', { name: 'Save settings' }).click();
    await page.getByText('is in use').waitFor();
    await row.getByLabel('Values').fill('Lyon\nParis\nNice');
    await page.getByRole('button', { name: 'Save settings' }).click();
    await said(page, 'The settings are saved.');
    await expectAccessible(page);
    await expectFitsPhone(page);
    expect(page.complaints).toEqual([]);
  });

  test('lists show a column of each property, and are narrowed by a value in the address', async () => {
    const { owner, open, id } = await twoSites();
    const page = await open(owner, '/data?kind=cases');
    await page
      .getByRole('row')
      .filter({ hasText: 'Night of Lyon' })
      .getByRole('cell', { name: 'Lyon', exact: true })
      .waitFor();
    await page.getByRole('combobox', { name: /^site/ }).selectOption('Paris');
    await page.waitForURL('**/data?kind=cases&property.site=Paris');
    await page.getByText('Night of Lyon').waitFor({ state: 'detached' });
    await page.getByText('Day of Paris').waitFor();
    const saved = await savedBy(page, () =>
      page.getByRole('button', { name: 'Save as CSV' }).first().click(),
    );
    expect(saved.text).toContain('property.site');
    expect(saved.text).toContain('Day of Paris');
    expect(saved.text).not.toContain('Night of Lyon');
    for (const screen of [
      'members',
      'participants',
      'compliance',
      'queue',
      'overview',
      'data',
      'data/set-aside',
    ]) {
      await page.goto(`${get().service.url}/console/studies/${id}/${screen}?property.site=Paris`);
      await settled(page);
      expect(await page.getByRole('combobox', { name: /^site/ }).inputValue(), screen).toBe('Paris');
      await expectAccessible(page);
    }
    expect(page.complaints).toEqual([]);
  });

  test('somebody who sees Lyon only finds nothing else, by no way', async () => {
    const { mona, open, id, day, other, responder: chidi } = await twoSites();
    const page = await open(mona, '/participants');
    await page.getByText('You see Lyon only').waitFor();
    await page.getByText(chidi.name).first().waitFor();
    expect(await page.getByText(other.name).count()).toBe(0);
    await page.keyboard.press('Control+k');
    const field = page.getByRole('dialog').getByRole('combobox');
    await field.fill('Day of Paris');
    await page
      .getByText(/^Nothing/)
      .first()
      .waitFor();
    await field.fill('Night of Lyon');
    await page.getByRole('option', { name: 'Night of Lyon' }).waitFor();
    await page.keyboard.press('Escape');
    for (const screen of [`data/cases/${day}`, `participants/${other.id}`]) {
      await page.goto(`${get().service.url}/console/studies/${id}/${screen}`);
      await page.getByRole('heading', { name: 'There is nothing here' }).waitFor();
    }
    expect(page.complaints).toEqual([]);
  });

  test('a person’s group is changed after what moves is shown, and their case moves along', async () => {
    const { owner, open, path, responder: chidi, night } = await twoSites();
    const page = await open(owner, '/members');
    await page.getByRole('button', { name: `Change the properties of ${chidi.name}` }).click();
    const dialog = page.getByRole('dialog', { name: `Properties of ${chidi.name}` });
    await expectAccessible(page);
    await dialog.getByLabel('site').selectOption('Paris');
    await dialog.getByRole('button', { name: 'Show what moves' }).click();
    await dialog.getByText('No reminders move.').waitFor();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await said(page, 'The properties are saved.');
    expect((await owner.get(`${path}/member/${chidi.id}`)).body.properties).toEqual({
      site: 'Paris',
      arm: 'a',
    });
    expect((await owner.get(`/case/${night}`)).body.properties).toEqual({ site: 'Paris', arm: 'a' });
    expect(page.complaints).toEqual([]);
  });

  test('an editor of Lyon makes cases and codes of Lyon, and no survey', async () => {
    const { owner, editor, open, path, id } = await twoSites();
    const scoped = await owner.patch(`${path}/member/${editor.id}`, { scope: { site: ['Lyon'] } });
    expect(scoped.status, scoped.text).toBe(200);
    const page = await open(editor, '/data?kind=cases');
    await page.getByRole('button', { name: 'New case' }).click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.getByLabel('site').locator('option').allTextContents()).toEqual(['Lyon']);
    await dialog.getByLabel('Label').fill('Second night');
    await dialog.getByRole('button', { name: 'Create case' }).click();
    await page.getByRole('heading', { level: 1, name: 'Second night' }).waitFor();
    const { cases } = (await owner.get(`${path}/cases`)).body;
    const made = cases.find(({ label }: Body) => label === 'Second night');
    expect(made.properties).toEqual({ site: 'Lyon' });
    await page.goto(`${get().service.url}/console/studies/${id}/surveys`);
    await settled(page);
    expect(await page.getByRole('button', { name: 'New survey' }).count()).toBe(0);
    await page.goto(`${get().service.url}/console/studies/${id}/members/information`);
    await page.getByText('Only owners of the study, and editors who see all of it').waitFor();
    expect(page.complaints).toEqual([]);
  });

  test('a site is locked by its filter, and frozen alone', async () => {
    const { owner, open, path, night, day, other: dana } = await twoSites();
    const page = await open(owner, '/data?kind=cases&property.site=Lyon');
    await page.getByRole('button', { name: 'Lock by filter' }).click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.getByRole('checkbox', { name: 'Lyon' }).isChecked()).toBe(true);
    await dialog.getByRole('button', { name: 'Count matching items' }).click();
    await dialog.getByText('Group: Lyon').waitFor();
    await dialog.getByRole('button', { name: /^Lock 1 case and 1 response/ }).click();
    await said(page, /^Locked 1 case and 1 response/);
    expect((await owner.get(`/case/${night}`)).body.lockedAt).toEqual(expect.any(String));
    expect((await owner.get(`/case/${day}`)).body).not.toHaveProperty('lockedAt');

    await page.getByRole('button', { name: 'Freeze study' }).click();
    await dialog.getByRole('radio', { name: 'A group' }).check();
    await dialog.getByRole('checkbox', { name: 'Lyon' }).check();
    await dialog.getByLabel('Reason').fill('Lyon is closed');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Freeze the group' }).click();
    await said(page, 'Frozen: Lyon.');
    await page.getByText('Frozen: Lyon. The data of this group cannot be changed').waitFor();
    created(await dana.post(`${path}/case`, { label: 'Another day' }));
    await page.getByRole('button', { name: 'End the freeze of Lyon' }).click();
    await dialog.getByLabel('Reason').fill('A late visit');
    await dialog.getByRole('button', { name: 'End the freeze' }).click();
    await said(page, 'The freeze of Lyon has ended.');
    expect(page.complaints).toEqual([]);
  });

  test('an invitation carries properties, and a scope is changed in the list', async () => {
    const { owner, mona, open, path } = await twoSites();
    const page = await open(owner, '/members');
    await page.getByRole('button', { name: 'Invite', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('E-mail address').fill('pat@example.org');
    await dialog.getByLabel('site').selectOption('Paris');
    await dialog.getByLabel('arm').selectOption('b');
    expect(await dialog.getByRole('group', { name: 'Sees' }).count()).toBe(0);
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Invite', exact: true }).click();
    await said(page, 'pat@example.org is invited.');
    const { invitations } = (await owner.get(`${path}/members`)).body;
    expect(invitations).toMatchObject([
      { email: 'pat@example.org', properties: { site: 'Paris', arm: 'b' } },
    ]);
    await page.getByRole('button', { name: `Change what ${mona.name} sees: Lyon only` }).click();
    await dialog.getByRole('checkbox', { name: 'Paris' }).check();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await said(page, `${mona.name} sees Lyon or Paris only.`);
    expect((await mona.get(path)).body.scope).toEqual({ site: ['Lyon', 'Paris'] });
    const seen = await open(mona, '/activity');
    await seen.getByText('You see Lyon or Paris only').waitFor();
    await expectAccessible(seen);
    for (const window of [page, seen]) expect(window.complaints).toEqual([]);
  });

  test('locks of a site have a rule of their own', async () => {
    const { owner, editor, open, path, night, day } = await twoSites();
    const page = await open(owner, '/settings');
    await page.getByRole('button', { name: 'Add a rule' }).click();
    const rule = page.getByRole('group', { name: 'Rule 1' });
    await rule.getByRole('checkbox', { name: 'Lyon' }).check();
    await rule.getByLabel('Permission to unlock').selectOption('Owners only');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Save settings' }).click();
    await said(page, 'The settings are saved.');
    const groups = [{ properties: { site: ['Lyon'] }, unlock: 'owners' }];
    expect((await owner.get(path)).body.lockPolicy).toMatchObject({ unlock: 'viewers', groups });
    const cases = [night, day].map((identifier) => ({ identifier }));
    expect((await owner.post(`${path}/lock-items`, { cases, status: 'locked' })).status).toBe(204);
    const seen = await open(editor, `/data/cases/${night}`);
    await seen.getByText('Night of Lyon').first().waitFor();
    expect(await seen.getByRole('button', { name: 'Unlock', exact: true }).count()).toBe(0);
    const other = await open(editor, `/data/cases/${day}`);
    await other.getByRole('button', { name: 'Unlock', exact: true }).waitFor();
    for (const window of [page, seen, other]) expect(window.complaints).toEqual([]);
  });

  test('a survey is moved to one arm, and is the owners’ alone from then on', async () => {
    const { owner, editor, open, survey, id } = await twoSites();
    const page = await open(owner, `/surveys/${survey}`);
    await page.getByRole('button', { name: 'Change who takes it' }).click();
    const dialog = page.getByRole('dialog', { name: 'Who takes Diary?' });
    await dialog.getByRole('checkbox', { name: 'b', exact: true }).check();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await said(page, '“Diary” is for b now.');
    await page.getByText('Blinded: only owners see this survey').waitFor();
    expect((await owner.get(`/survey/${survey}`)).body.for).toEqual({ arm: ['b'] });
    const seen = await open(editor, '/surveys');
    await seen.getByText('There are no surveys yet').waitFor();
    await seen.goto(`${get().service.url}/console/studies/${id}/surveys/${survey}`);
    await seen.getByRole('heading', { name: 'There is nothing here' }).waitFor();
    // The feed is refused, and the page goes on without it.
    await seen.goto(`${get().service.url}/console/studies/${id}/data?kind=cases`);
    await seen.getByText('Night of Lyon').waitFor();
    for (const window of [page, seen]) expect(window.complaints).toEqual([]);
  });
});
