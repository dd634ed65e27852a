import { expect, test } from 'vitest';
import { lock, newCase, newResponse, newStudy } from '../support/studies.ts';
import { describeConsole, settled } from './support/console.ts';

const evenings = {
  type: 'rolling',
  recurrence: '30 21 * * *',
  notification: { subject: 'Diary', body: 'How was your day?' },
};

/** Times of day on the page that no zone follows. */
const bareTimes = (text: string) =>
  text
    .split('\n')
    .filter((line) => /\b\d{1,2}:\d\d\b/.test(line.replaceAll(/\b\d\d:\d\d (GMT|UTC|CES?T)\S*/g, '')));

describeConsole('times', (get) => {
  test('always say of which zone they are: the viewer’s, or the participant’s', async () => {
    const study = await newStudy(get().world, { of: 'zones', reminders: evenings });
    await study.responder.patch('/user/me', { timeZone: 'Asia/Kolkata' });
    const night = await newCase(study, study.editor);
    const response = await newResponse(study, study.responder, night);
    await lock(study.editor, study, { cases: [night] });
    await study.owner.post(`/investigation/${study.id}/freeze`, {
      status: 'frozen',
      reason: 'Interim analysis',
    });
    const page = await get().visit(study.owner, '', { timezoneId: 'America/Lima' });
    const below = `${get().service.url}/console/studies/${study.id}`;
    const times: Record<string, string> = {
      '/overview': 'GMT-5',
      '/participants': 'by each participant’s own date',
      [`/participants/${study.responder.id}`]: 'GMT+5:30',
      '/data?kind=cases': 'GMT-5',
      [`/data/responses/${response}`]: 'GMT-5',
      '/activity': 'GMT-5',
      '/surveys': 'by each person’s own clock',
      [`/surveys/${study.survey}`]: 'By each person’s own clock',
      [`/surveys/${study.survey}/reminders`]: 'By each person’s own clock',
    };
    for (const [path, zone] of Object.entries(times)) {
      await page.goto(below + path);
      await settled(page);
      const main = page.locator('main');
      // The zones of the past are folded away.
      await main.getByText(zone).filter({ visible: true }).first().waitFor();
      const bare = bareTimes(await main.innerText());
      expect(path.startsWith('/surveys') ? [] : bare, path).toEqual([]);
      for (const time of await main.locator('time').all())
        expect(await time.getAttribute('title')).toMatch(/, (America\/Lima|Asia\/Kolkata|Europe\/Paris)$/);
    }
    for (const path of ['/data', '/activity']) {
      await page.goto(below + path);
      await page.getByText('Times are in your time zone: America/Lima').waitFor();
    }
  });
});
