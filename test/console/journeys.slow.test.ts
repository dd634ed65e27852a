import { expect, test } from 'vitest';
import { checkSignature, readHead, readKeySet } from '../../tools/verify/head.ts';
import { eventually } from '../support/eventually.ts';
import { created, signUp } from '../support/people.ts';
import { lock, newStudy } from '../support/studies.ts';
import { describeConsole, expectAccessible, expectFitsPhone, savedBy } from './support/console.ts';
import { hostile } from './support/hostile.ts';
import { nights, row } from './support/nights.ts';
import { confirm, openEditor, weekdays } from './support/reminders.ts';

/*
 * The main journeys through the console, on each runtime, since the service behind it differs. Signing in, also in the
 * middle of something, has a file of its own; the rest of each screen is tested on Node.
 */
let studies = 0;

describeConsole('the journeys', (get) => {
  const newOne = () => newStudy(get().world, { of: `journey ${studies++}`, reminders: weekdays });

  test('a study opens with who needs somebody, and leads to the person and to the next step', async () => {
    const study = await newOne();
    await study.responder.put('/user/me/pause', { until: null });
    await study.other.post(`/survey/${study.survey}/download`);
    const guest = { email: 'guest@example.org', role: 'responder' };
    created(await study.owner.post(`/investigation/${study.id}/member`, guest));
    const page = await get().visit(study.owner, `/studies/${study.id}`);
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    expect(page.url()).toContain(`/studies/${study.id}/overview`);
    const item = (text: string) => page.getByRole('listitem').filter({ hasText: text });
    // The owner and the editor take no part.
    await item('2 cannot be reached').getByRole('link', { name: study.other.name }).waitFor();
    await item('1 never downloaded a survey').waitFor();
    await item('1 open invitation').getByText('guest@example.org').waitFor();
    await expectAccessible(page);
    await expectFitsPhone(page);
    await item('1 paused their reminders').getByRole('link', { name: 'See who paused' }).click();
    await page.getByRole('heading', { level: 1, name: 'Participants' }).waitFor();
    await page.getByRole('rowheader', { name: study.responder.name }).waitFor();
    expect(await page.getByRole('row').count()).toBe(2);
    await page.goBack();
    await item('1 open invitation').getByRole('link', { name: 'See the invitations' }).click();
    await page.getByRole('rowheader', { name: 'guest@example.org' }).waitFor();
    await page.getByRole('heading', { name: 'Open invitations' }).and(page.locator(':focus')).waitFor();
    await page.goBack();
    await item('1 paused their reminders').getByRole('link', { name: study.responder.name }).click();
    await page.getByRole('heading', { level: 1, name: study.responder.name }).waitFor();
    const next = page.getByRole('region', { name: 'Next reminders' });
    await next.getByText(/pause/i).first().waitFor();
    expect(page.complaints).toEqual([]);
  });

  test('reminders are changed with a preview and a warning, and a time line says why one will not come', async () => {
    const study = await newOne();
    const page = await openEditor(get(), study);
    for (const day of ['Monday', 'Wednesday', 'Friday'])
      await page.getByRole('checkbox', { name: day }).uncheck();
    for (const day of ['Tuesday', 'Thursday']) await page.getByRole('checkbox', { name: day }).check();
    await page.getByLabel('Time of day').fill('20:15');
    const preview = page.getByRole('region', { name: 'Next reminders' });
    await preview
      .getByText(/20:15 CES?T/)
      .first()
      .waitFor();
    await page.getByRole('button', { name: 'Save reminders' }).click();
    await confirm(page, /2 people have a planned reminder, which a new reminder replaces/);
    await page.getByText('Tuesday and Thursday at 20:15').waitFor();

    const { editor, responder } = study;
    const history = `/survey/${study.survey}/notifications?user=${responder.id}`;
    await eventually('the old one is withdrawn', async () =>
      (await editor.get(history)).body.notifications.some(
        ({ state }: { state: string }) => state === 'invalidated',
      ),
    );
    await page.goto(`${get().service.url}/console/studies/${study.id}/participants/${responder.id}`);
    await row(page, 'Withdrawn')
      .getByText('The reminder will no longer be sent: the reminders were changed.')
      .waitFor();
    await row(page, 'Planned').waitFor();
    expect(page.complaints).toEqual([]);
  });

  test('the log is verified, and saved with a head that the service signed', async () => {
    const { study, responses } = await nights(get());
    await lock(study.editor, study, { responses });
    const page = await get().visit(study.editor, `/studies/${study.id}/activity`);
    await page.getByText('Verified: all 4 entries are unaltered').waitFor();
    const save = (name: string) => savedBy(page, () => page.getByRole('button', { name }).click());
    const lines = (await save('Export')).text.trim().split('\n');
    const head = readHead((await save('Signed head')).text);
    // The last one is the export itself.
    expect(lines).toHaveLength(5);
    expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ position: 5, hash: head.hash });
    const keys = await fetch(`${get().service.url}/.well-known/jwks.json`);
    checkSignature(head, readKeySet(await keys.text()));
  });

  test('an invited person finds the invitation in the list of studies, and accepts it', async () => {
    const { world, visit } = get();
    const study = await newOne();
    const eve = await signUp(world, `Eve ${studies}`);
    const page = await visit(study.owner, `/studies/${study.id}/members`);
    await page.getByRole('button', { name: 'Invite', exact: true }).click();
    await page.getByLabel('E-mail address').fill(eve.email);
    await page.getByRole('dialog').getByRole('button', { name: 'Invite' }).click();
    await page.getByRole('rowheader', { name: eve.email }).waitFor();
    const hers = await visit(eve);
    await hers.getByText(`${study.owner.name} invites you to join as participant.`).waitFor();
    await hers.getByRole('button', { name: /^Accept/ }).click();
    await hers.getByRole('navigation', { name: 'Study' }).waitFor();
    expect((await eve.get(`/investigation/${study.id}`)).body.role).toBe('responder');
    expect([...page.complaints, ...hers.complaints]).toEqual([]);
  });

  test('names are shown as they are, whatever is in them', async () => {
    const { world, visit } = get();
    const mallory = await signUp(world, 'Mallory');
    await mallory.patch('/user/me', { name: hostile });
    const study = created(
      await mallory.post('/investigation', { name: hostile, timeZone: 'Europe/Paris' }),
    ).identifier;
    for (const path of ['', `/studies/${study}/members`, `/studies/${study}/activity`]) {
      const page = await visit(mallory, path);
      await page.getByText('<script>').first().waitFor();
      expect(await page.title()).not.toBe('1');
      expect(await page.locator('img[src=x], main script').count()).toBe(0);
      expect(page.complaints).toEqual([]);
      await expectFitsPhone(page);
    }
  });
});
