import { expect, test } from 'vitest';
import { describeConsole } from '../console/support/console.ts';
import { created } from '../support/people.ts';
import { newStudy } from '../support/studies.ts';
import { answerDiary, begin, openAt, openPhone } from './support/phone.ts';
import { endStandIns, standIn } from './support/stand-ins.ts';

/* A phone that changes hands: nothing that the page says about one participant's answers is about another's. */

let studies = 0;

describeConsole('a phone of two participants', (get) => {
  test('the second one is shown none of the answers that the first one sent, and those that wait as theirs', async () => {
    const study = await newStudy(get().world, { of: `shared ${++studies}` });
    const phone = await openPhone(get());
    const { page, context } = phone;
    const url = () => get().service.url;
    await begin(phone, url(), study.other, study);
    await answerDiary(page, 'sent');
    await page.locator('.rows .good').waitFor();
    await standIn(context, '/response', (answers) => answers.abort());
    await answerDiary(page, 'waits');
    const { url: link } = created(await study.editor.post(`/investigation/${study.id}/enrolment`, {}));
    await page.goto('about:blank');
    await page.goto(link);
    await page.getByRole('button', { name: 'Use the new code', exact: true }).click();
    await page.getByRole('button', { name: 'Join' }).click();
    await page.getByRole('heading', { name: 'Should this phone remind you?' }).waitFor();

    await openAt(page, url());
    await page.getByText('One answer on this phone belongs to another participant.').waitFor();
    const said = await page.locator('main').innerText();
    expect(said).not.toMatch(/Answered at|not been sent|accepted/);
    await context.setOffline(true);
    await page.getByText('No internet. You can still answer.').waitFor();
    expect(await page.locator('main').innerText()).not.toMatch(/waits for the internet/);
    await context.setOffline(false);
    await page.getByRole('link', { name: 'See' }).click();
    await page.getByText(/They can be sent only once that participant/).waitFor();
    expect(await page.getByRole('button', { name: 'Send now' }).count()).toBe(0);

    // The first one comes back.
    endStandIns(context);
    await begin(phone, url(), study.other, study);
    await expect
      .poll(async () => (await study.owner.get(`/investigation/${study.id}/responses`)).body.responses)
      .toHaveLength(2);
    expect(page.complaints).toEqual([]);
  });
});
