import { expect, test } from 'vitest';
import { choice, choices, item, option } from '../support/items.ts';
import { mark } from '../support/lists.ts';
import { newCase, newResponse, newStudy } from '../support/studies.ts';
import { describeConsole, expectAccessible, expectFitsPhone, savedBy } from './support/console.ts';

let studies = 0;

describeConsole('files for analysis', (get) => {
  /** One answer, to a choice and to several, whose labels have changed since. */
  async function answered() {
    const study = await newStudy(get().world, { of: `files ${studies++}` });
    const { editor, responder, survey } = study;
    const items = (label: string) => [
      item('q1', choice(option('well', label)), 'How did you sleep?'),
      item('q2', choices(option('pain', 'Pain'), option('fever', 'Fever')), 'Symptoms'),
    ];
    expect((await editor.patch(`/survey/${survey}`, { items: items('Well, née Süß') })).status).toBe(200);
    const night = await newCase(study, editor, 'Night 1');
    await newResponse(study, responder, night, { q1: 'well', q2: 'fever' });
    expect((await editor.patch(`/survey/${survey}`, { items: items('Good') })).status).toBe(200);
    const open = (path: string, person = editor) => get().visit(person, `/studies/${study.id}${path}`);
    return { study, open };
  }

  test('responses are saved with the labels that were read, and a column for each choice', async () => {
    const { open } = await answered();
    const page = await open('/data');
    await page.getByRole('button', { name: 'More files' }).click();
    const dialog = page.getByRole('dialog', { name: 'Save a file for analysis' });
    await dialog.getByRole('combobox', { name: 'Survey' }).selectOption('Diary');
    await expectAccessible(page);
    await dialog.getByRole('radio', { name: 'Labels' }).check();
    await dialog.getByRole('radio', { name: 'A column for each choice' }).check();
    const { name, text, bytes } = await savedBy(page, () =>
      dialog.getByRole('button', { name: 'Save as CSV' }).click(),
    );
    expect(name).toMatch(/^Sleep files \d+ responses\.csv$/);
    expect([...bytes.subarray(0, 3)]).toEqual(mark);
    expect(text).toContain('items.q2/pain,items.q2/fever');
    expect(text).toContain('"Well, née Süß",0,1');
    await dialog.waitFor({ state: 'detached' });
    expect(page.complaints).toEqual([]);
  });

  test('reminders with answers, and the codebook, are saved from each screen that counts them', async () => {
    const { open } = await answered();
    for (const path of ['/data', '/participants', '/compliance']) {
      const page = await open(path);
      for (const [choice, head] of [
        ['Reminders with answers', 'identifier,user,code,survey,on,slot'],
        ['Codebook', 'survey,surveyName,item,label,kind'],
      ] as const) {
        await page.getByRole('button', { name: 'More files' }).click();
        const dialog = page.getByRole('dialog', { name: 'Save a file for analysis' });
        await dialog.getByRole('radio', { name: choice }).check();
        await expectAccessible(page);
        const { text, bytes } = await savedBy(page, () =>
          dialog.getByRole('button', { name: 'Save as CSV' }).click(),
        );
        expect([...bytes.subarray(0, 3)]).toEqual(mark);
        expect(text).toContain(head);
        await dialog.waitFor({ state: 'detached' });
      }
      await expectFitsPhone(page);
      expect(page.complaints).toEqual([]);
    }
  });

  test('each table has one mark, from the service and from the page', async () => {
    const { open } = await answered();
    for (const [path, button] of [
      ['/data', 'Save as CSV'],
      ['/data?kind=cases', 'Save as CSV'],
      ['/data', 'Save this table as CSV'],
      ['/data/set-aside', 'Save as CSV'],
      ['/participants', 'Save as CSV'],
      ['/compliance', 'Save as CSV'],
    ] as const) {
      const page = await open(path);
      const { bytes } = await savedBy(page, () => page.getByRole('button', { name: button }).click());
      expect([...bytes.subarray(0, 3)], path).toEqual(mark);
      expect([...bytes.subarray(3, 6)], path).not.toEqual(mark);
    }
  });

  test('participants have the list of their own answers alone', async () => {
    const { study, open } = await answered();
    const page = await open('/data', study.responder);
    await page.getByRole('button', { name: 'Save as CSV', exact: true }).waitFor();
    expect(await page.getByRole('button', { name: 'More files' }).count()).toBe(0);
  });
});
