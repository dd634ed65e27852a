import { expect, test } from 'vitest';
import { describeConsole } from '../console/support/console.ts';
import { newStudy } from '../support/studies.ts';
import { answerDiary, begin, openAt, openPhone, storedIn } from './support/phone.ts';
import { standIn } from './support/stand-ins.ts';

/* The set aside of the service itself: an answer that was right when it was given, without a network. */

let studies = 0;

describeConsole('an answer that comes too late for its place', (get) => {
  test.each([
    ['the study was archived', 'The study ended before they arrived.', 'study'],
    ['the survey was archived', 'The questionnaire ended before they arrived.', 'survey'],
    [
      'the participant was removed',
      'You did not take part in the study any more when they arrived.',
      'member',
    ],
    ['the case was deleted', 'Your record was removed before they arrived.', 'case'],
  ])('%s: it is set aside, and the person is told so', async (_, said, what) => {
    const study = await newStudy(get().world, { of: `aside ${++studies}` });
    const { page, context, ...phone } = await openPhone(get());
    await begin({ page, context, ...phone }, get().service.url, study.other, study);
    await answerDiary(page, 'first');
    await page.locator('.rows .good').waitFor();
    await context.setOffline(true);
    await answerDiary(page, 'second');
    const { owner, id } = study;
    const own = (await owner.get(`/investigation/${id}/cases`)).body.cases[0].identifier;
    const done = {
      study: () => owner.patch(`/investigation/${id}`, { status: 'archived' }),
      survey: () => owner.patch(`/survey/${study.survey}`, { status: 'archived' }),
      member: () => owner.delete(`/investigation/${id}/member/${study.other.id}`),
      case: () =>
        owner.post(`/investigation/${id}/delete-items`, { cases: [{ identifier: own }], status: 'deleted' }),
    }[what as 'study'];
    expect((await done()).status).toBeLessThan(300);
    await context.setOffline(false);
    await openAt(page, get().service.url, '?view=sent');
    await page.getByText(said).waitFor();
    if (what === 'survey') {
      // The answers are shown as they were asked.
      const card = page.locator('.card', { hasText: said });
      expect(await card.innerText()).toMatch(/Diary[\s\S]*How did you sleep\?\s+second/);
    }
    if (what === 'member') {
      await openAt(page, get().service.url);
      await page.getByText('You have left the study, or your part in it has ended.').waitFor();
    }
    if (what === 'study') {
      await openAt(page, get().service.url);
      await page.getByText('The study has ended, and takes no more answers.').waitFor();
      expect(await page.getByRole('link', { name: 'Diary' }).count()).toBe(0);
    }
    if (what === 'case') {
      await openAt(page, get().service.url);
      await answerDiary(page, 'third');
      const { responses } = (await owner.get(`/investigation/${id}/responses`)).body;
      expect(responses.map(({ items }: { items: { q1: string } }) => items.q1)).toContain('third');
    }
  });

  test('the page is closed while it looks for another case: what the service said is not lost', async () => {
    const study = await newStudy(get().world, { of: `aside ${++studies}` });
    const phone = await openPhone(get());
    const { page, context } = phone;
    await begin(phone, get().service.url, study.other, study);
    await answerDiary(page, 'first');
    await page.locator('.rows .good').waitFor();
    await context.setOffline(true);
    await answerDiary(page, 'second');
    const { owner, id } = study;
    const [own] = (await owner.get(`/investigation/${id}/cases`)).body.cases;
    const deletion = { cases: [{ identifier: own.identifier }], status: 'deleted' };
    expect((await owner.post(`/investigation/${id}/delete-items`, deletion)).status).toBeLessThan(300);
    let looks = 0;
    await standIn(context, '/cases', (cases) => (++looks > 1 ? cases.continue() : undefined));
    await context.setOffline(false);
    await expect.poll(() => looks).toBe(1);
    await openAt(page, get().service.url, '?view=sent');
    await page.getByText('Your record was removed before they arrived.').waitFor();
    await openAt(page, get().service.url);
    await answerDiary(page, 'third');
    await expect.poll(() => storedIn(study)).toContainEqual({ q1: 'third' });
    expect((await owner.get(`/investigation/${id}/cases`)).body.cases).toHaveLength(1);
  });
});
