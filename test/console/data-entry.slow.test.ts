import { expect, test } from 'vitest';
import { lock, newCase } from '../support/studies.ts';
import { expectBlocked } from './support/blocked.ts';
import { describeConsole, expectAccessible, expectFitsPhone, settled } from './support/console.ts';
import { nights, row } from './support/nights.ts';

/* Cases and answers that people enter and correct in the console. */

describeConsole('data that is entered by hand', (get) => {
  const open = async (path: (of: Awaited<ReturnType<typeof nights>>) => string) => {
    const of = await nights(get());
    const visit = (person = of.study.editor) => get().visit(person, `/studies/${of.study.id}${path(of)}`);
    return { ...of, visit };
  };
  const casesOf = async ({ study }: Awaited<ReturnType<typeof nights>>) =>
    (await study.owner.get(`/investigation/${study.id}/cases`)).body.cases as Record<string, unknown>[];

  test('a case is created from the keyboard, once, even if its answer was lost, and can be renamed', async () => {
    const of = await open(() => '/data?kind=cases');
    const page = await of.visit();
    await page.getByRole('button', { name: 'New case' }).focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Create a case' });
    await dialog.getByLabel('Label').fill('Night <b>4</b>');
    await dialog.getByLabel('Hide from participants').check();
    await expectAccessible(page);
    await page.route(
      '**/investigation/*/case',
      async (route) => {
        await route.fetch();
        await route.abort();
      },
      { times: 1 },
    );
    await dialog.getByLabel('Label').press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Night <b>4</b>' }).waitFor();
    await page.getByText('Created the case “Night <b>4</b>”.').waitFor();
    const made = (await casesOf(of)).filter(({ label }) => label === 'Night <b>4</b>');
    expect(made).toHaveLength(1);
    expect(made[0]).toMatchObject({ hidden: true, creatorIdentifier: of.study.editor.id });
    await expectAccessible(page);
    await expectFitsPhone(page);

    await page.getByRole('button', { name: 'Change' }).click();
    await page.getByRole('dialog').getByLabel('Label').fill('Night 4');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { level: 1, name: 'Night 4', exact: true }).waitFor();
    await page.getByRole('link', { name: 'All cases' }).click();
    await row(page, 'Night 4').getByText('Hidden from participants').waitFor();
    expect(page.complaints).toEqual([]);
  });

  test('a participant creates cases too, which nobody hides, and an archived study takes none', async () => {
    const { study, visit } = await open(() => '/data?kind=cases');
    const page = await visit(study.responder);
    await page.getByRole('button', { name: 'New case' }).click();
    expect(await page.getByLabel('Hide from participants').count()).toBe(0);
    await page.getByLabel('Label').fill('My night');
    await page.getByRole('button', { name: 'Create case' }).click();
    await page.getByRole('heading', { level: 1, name: 'My night' }).waitFor();
    await study.owner.patch(`/investigation/${study.id}`, { status: 'archived' });
    const later = await visit();
    await later.getByText('This study is archived.').waitFor();
    expect(await later.getByRole('button', { name: 'New case' }).count()).toBe(0);
  });

  test('answers are edited with a reason, and the history shows who changed what, and why', async () => {
    const { study, responses, visit } = await open(({ responses }) => `/data/responses/${responses[0]}`);
    await study.responder.patch(`/response/${responses[0]}`, { reasons: { q2: 3 } });
    const page = await visit();
    await page.getByRole('button', { name: 'Edit answers' }).click();
    const first = page.getByLabel('How did you sleep?');
    expect(await first.inputValue()).toBe('slept well in Night 1');
    await first.fill('slept badly\nin Night 1');
    await page.getByLabel('When did you wake up?', { exact: true }).fill('06:10');
    await page.getByLabel('When did you wake up?, reason code').fill('');
    await page.getByRole('button', { name: 'Save answers' }).click();
    // Without a reason nothing is sent.
    expect(
      await page.getByLabel('Reason for the change').evaluate((field) => field.matches(':invalid')),
    ).toBe(true);
    await expectAccessible(page);
    await expectFitsPhone(page);
    await page.getByLabel('Reason for the change').fill('The diary on paper says so');
    await page.getByRole('button', { name: 'Save answers' }).click();
    await page.getByText('The answers are saved.').waitFor();
    await settled(page);
    const { body } = await study.owner.get(`/response/${responses[0]}`);
    expect(body.items).toEqual({ q1: 'slept badly\nin Night 1', q2: '06:10' });
    expect(body.reasons).toEqual({});

    const entry = page.getByRole('listitem').filter({ hasText: 'Reason: The diary on paper says so' });
    await entry.getByText(/^Bruno/).waitFor();
    expect(await entry.locator('del').allInnerTexts()).toEqual(['slept well in Night 1', 'No answer', '3']);
    expect(await entry.locator('ins').allInnerTexts()).toEqual([
      'slept badly in Night 1',
      '06:10',
      'No reason code',
    ]);
    await page.getByText('First answers').waitFor();
    await expectAccessible(page);
    expect(page.complaints).toEqual([]);
  });

  test('a field that nobody touches keeps its answer, and nothing is saved where nothing changed', async () => {
    const { study, responses, visit } = await open(({ responses }) => `/data/responses/${responses[0]}/edit`);
    const page = await visit();
    const revisions = async () =>
      (await study.owner.get(`/response/${responses[0]}/revisions`)).body.revisions.length;
    await page.getByLabel('Reason for the change').fill('A look');
    await page.getByRole('button', { name: 'Save answers' }).click();
    await page.getByText('No answer was changed.').waitFor();
    expect(await revisions()).toBe(1);
    await page.getByRole('button', { name: 'Edit answers' }).click();
    await page.getByLabel('When did you wake up?').fill('07:00');
    await page.getByLabel('Reason for the change').fill('Left out');
    await page.getByRole('button', { name: 'Save answers' }).click();
    await page.getByText('The answers are saved.').waitFor();
    expect(await revisions()).toBe(2);
    const { body } = await study.owner.get(`/response/${responses[0]}`);
    expect(body.items).toEqual({ q1: 'slept well in Night 1', q2: '07:00' });
  });

  test('people need no reason for a change of their own answers, and may give one', async () => {
    const { study, responses, visit } = await open(({ responses }) => `/data/responses/${responses[0]}/edit`);
    const page = await visit(study.responder);
    await page.getByLabel('When did you wake up?').fill('07:00');
    await page.getByText(/ Optional\.$/).waitFor();
    await page.getByRole('button', { name: 'Save answers' }).click();
    await page.getByText('The answers are saved.').waitFor();
    const { body } = await study.owner.get(`/response/${responses[0]}/revisions`);
    expect(body.revisions).toHaveLength(2);
    expect(body.revisions[0]).not.toHaveProperty('reason');
  });

  test('answers that somebody else saved meanwhile are shown before they are replaced', async () => {
    const { study, responses, visit } = await open(({ responses }) => `/data/responses/${responses[0]}/edit`);
    const page = await visit();
    await page.getByLabel('When did you wake up?').fill('07:00');
    await page.getByLabel('Reason for the change').fill('Left out');
    await study.responder.patch(`/response/${responses[0]}`, { items: { q1: 'not at all' } });
    await page.getByRole('button', { name: 'Save answers' }).click();
    await page.getByText(/^Chidi \d+ changed these answers/).waitFor();
    await page.getByText('Now: How did you sleep?: not at all').waitFor();
    await expectAccessible(page);
    await expectFitsPhone(page);
    await page.getByRole('button', { name: 'Continue with my version' }).click();
    await page.getByRole('button', { name: 'Save answers' }).click();
    await page.getByText('The answers are saved.').waitFor();
    const { body } = await study.owner.get(`/response/${responses[0]}`);
    expect(body.items).toEqual({ q1: 'not at all', q2: '07:00' });
  });

  test('no button ends in a refusal: what a lock forbids cannot be pressed, and says why', async () => {
    const { study, cases, responses, visit } = await open(() => '/data?kind=cases');
    await lock(study.owner, study, { cases: cases.slice(0, 1), responses: responses.slice(0, 1) });
    const why = /^Locked items cannot be changed, archived or deleted\./;
    const page = await visit();
    const refused: number[] = [];
    page.on('response', (response) => {
      if (response.status() >= 400) refused.push(response.status());
    });
    await page.getByRole('checkbox', { name: 'Select all' }).click();
    for (const name of ['Archive', 'Delete']) {
      const button = page.getByRole('button', { name, exact: true });
      await expectBlocked(button, why);
      await button.press('Enter');
    }
    expect(await page.getByRole('dialog').count()).toBe(0);
    await expectAccessible(page);
    await page.getByRole('checkbox', { name: 'Night 1' }).click();
    await page.getByRole('button', { name: 'Archive', exact: true, disabled: false }).waitFor();

    for (const [path, edit] of [
      [`/data/cases/${cases[0]}`, 'Change'],
      [`/data/responses/${responses[0]}`, 'Edit answers'],
    ] as const) {
      await page.goto(`${get().service.url}/console/studies/${study.id}${path}`);
      for (const name of [edit, 'Archive', 'Delete'])
        await expectBlocked(page.getByRole('button', { name, exact: true }), why);
      await expectAccessible(page);
      await expectFitsPhone(page);
      await page.getByRole('button', { name: edit }).press('Enter');
      await page.getByRole('button', { name: 'Unlock' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Unlock' }).click();
      await page.getByRole('button', { name: edit, disabled: false }).waitFor();
    }
    expect(refused).toEqual([]);
  });

  test('a form at its address says why nobody can save it, and is open again when that ends', async () => {
    const { study, responses, visit } = await open(({ responses }) => `/data/responses/${responses[0]}/edit`);
    const page = await visit();
    const save = page.getByRole('button', { name: 'Save answers' });
    await page.getByLabel('When did you wake up?').fill('07:00');
    await lock(study.owner, study, { responses: responses.slice(0, 1) });
    await page.getByText('Locked items cannot be changed. Unlock them first.').waitFor();
    expect(await save.count()).toBe(0);
    await lock(study.owner, study, { responses: responses.slice(0, 1) }, 'unlocked');
    await save.waitFor();
    const freeze = (status: string) =>
      study.owner.post(`/investigation/${study.id}/freeze`, { status, reason: 'Interim analysis' });
    await freeze('frozen');
    await page.getByText('This study is frozen, so its data cannot be changed.').waitFor();
    expect(await save.count()).toBe(0);
    await freeze('active');
    await save.waitFor();
    expect(await page.getByLabel('When did you wake up?').inputValue()).toBe('07:00');
  });

  test('the forms of an archived survey say so', async () => {
    const { study, visit } = await open(({ study }) => `/surveys/${study.survey}/items`);
    await study.owner.patch(`/survey/${study.survey}`, { status: 'archived' });
    const page = await visit();
    for (const form of ['items', 'reminders']) {
      await page.goto(page.url().replace(/\w+$/, form));
      await page.getByText('This survey is archived: nobody can answer or change the survey').waitFor();
      expect(await page.getByRole('button', { name: /^Save/ }).count()).toBe(0);
    }
  });

  test('participants may lock items of other people, and neither change nor delete them', async () => {
    const { study, cases, visit } = await open(({ cases }) => `/data/cases/${cases[0]}`);
    const page = await visit(study.responder);
    for (const name of ['Change', 'Archive', 'Delete'])
      await expectBlocked(page.getByRole('button', { name, exact: true }), /only what is your own/);
    await page.getByRole('button', { name: 'Lock', exact: true, disabled: false }).waitFor();
    const own = await newCase(study, study.responder, 'My night');
    await page.goto(page.url().replace(cases[0] ?? '', own));
    await page.getByRole('button', { name: 'Archive', disabled: false }).waitFor();
  });
});
