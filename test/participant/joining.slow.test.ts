import { expect, test } from 'vitest';
import { describeConsole, expectAccessible, expectFitsPhone } from '../console/support/console.ts';
import { created } from '../support/people.ts';
import { newStudy, type Study } from '../support/studies.ts';
import { iPhone, keptBy, openPhone } from './support/phone.ts';
import { endStandIns, standIn } from './support/stand-ins.ts';

/* Before and after joining: what a code is for, what a person agreed to, and the home screen of an iPhone. */

const information = {
  en: {
    title: 'How do you sleep?',
    text: 'We ask you every evening.\n\nIt takes <b>two</b> minutes.',
    contact: 'Dr. Ada Blum\nsleep@example.org',
  },
  it: { title: 'Come dorme?', text: 'Ogni sera.', contact: 'Dott.ssa Ada Blum' },
};
let studies = 0;

describeConsole('joining', (get) => {
  const url = () => get().service.url;
  const studyWith = async (texts: object | null = information) => {
    const study = await newStudy(get().world, { of: `joining ${++studies}` });
    await study.owner.patch(`/investigation/${study.id}`, { name: `Study ${studies}`, information: texts });
    return study;
  };
  const codeOf = async ({ editor, id }: Study) =>
    created(await editor.post(`/investigation/${id}/enrolment`, { uses: 9 })) as {
      code: string;
      url: string;
    };
  const membersOf = async ({ owner, responder, other, id }: Study) =>
    (await owner.get(`/investigation/${id}/members?role=responder`)).body.members.filter(
      ({ identifier }: { identifier: string }) => ![responder.id, other.id].includes(identifier),
    );
  const heading = 'Should this phone remind you?';

  test('a link leads to the text of the study, in its language, and the person agrees to it', async () => {
    const study = await studyWith();
    const { page } = await openPhone(get(), { locale: 'it-IT' });
    await page.goto((await codeOf(study)).url);
    const title = page.getByRole('heading', { level: 1, name: 'Come dorme?' });
    await title.waitFor();
    expect(await title.getAttribute('lang')).toBe('it');
    expect(await page.evaluate('document.documentElement.lang')).toBe('en');
    await page.getByText(`Study ${studies}`).waitFor();
    await page.getByText('Dott.ssa Ada Blum').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'I have read this and take part' }).click();
    await page.getByRole('heading', { name: heading }).waitFor();
    const [member] = await membersOf(study);
    expect(member.agreedTo).toMatch(/^[0-9a-f]{64}$/);

    await page.goto(`${url()}/p/?view=settings`);
    await page.getByRole('link', { name: 'About the study' }).click();
    await page.getByRole('heading', { name: 'Come dorme?' }).waitFor();
    await page.getByText(/You read this text and joined/).waitFor();
    await expectAccessible(page);
  });

  test('line breaks are shown, and nothing of a text is a tag', async () => {
    const { page } = await openPhone(get());
    await page.goto((await codeOf(await studyWith())).url);
    const text = page.getByText('We ask you every evening.');
    await text.waitFor();
    expect(await text.innerText()).toBe(information.en.text);
  });

  test('a text that changes before the press is shown again', async () => {
    const study = await studyWith();
    const { page } = await openPhone(get());
    await page.goto((await codeOf(study)).url);
    await page.getByRole('heading', { name: 'How do you sleep?' }).waitFor();
    const changed = { en: { ...information.en, title: 'How do you dream?' } };
    await study.owner.patch(`/investigation/${study.id}`, { information: changed });
    const agree = page.getByRole('button', { name: 'I have read this and take part' });
    await agree.click();
    await page.getByText('The study team has changed the text in the meantime.').waitFor();
    await page.getByRole('heading', { name: 'How do you dream?' }).waitFor();
    expect(await membersOf(study)).toEqual([]);
    await agree.click();
    await page.getByRole('heading', { name: heading }).waitFor();
    expect(await membersOf(study)).toHaveLength(1);
  });

  test('a pasted link is the code: the study is named, and its text comes before joining', async () => {
    const study = await studyWith();
    const code = await codeOf(study);
    const { page } = await openPhone(get());
    await page.goto(`${url()}/p/`);
    await page.getByLabel('Your code').fill(`Code: ${code.url}?utm_source=mail.`);
    await page.getByText(`This code is for the study “Study ${studies}”.`).waitFor();
    await page.getByRole('button', { name: 'Join' }).click();
    await page.getByRole('heading', { name: 'How do you sleep?' }).waitFor();
    await page.getByRole('button', { name: 'Use another code' }).click();
    await page.getByLabel('Your code').fill(code.code.replaceAll('-', '–'));
    await page.getByRole('button', { name: 'Join' }).click();
    await page.getByRole('button', { name: 'I have read this and take part' }).click();
    await page.getByRole('heading', { name: heading }).waitFor();
  });

  test('a study without a text is named, and a full one says so', async () => {
    const study = await studyWith(null);
    const { page } = await openPhone(get());
    await page.goto((await codeOf(study)).url);
    await page.getByText(`This code is for the study “Study ${studies}”.`).waitFor();
    await standIn(page.context(), '/enrol', (request) =>
      request.fulfill({ status: 409, json: { code: 'limit.reached', status: 409 } }),
    );
    await page.getByRole('button', { name: 'Join' }).click();
    await page.getByText('The study has no room for more people.').waitFor();
    endStandIns(page.context());
    await page.getByRole('button', { name: 'Join' }).click();
    await page.getByRole('heading', { name: heading }).waitFor();
    expect((await membersOf(study))[0].agreedTo).toBeNull();
    await page.goto(`${url()}/p/?view=about`);
    await page.getByText('The study team has written no text about the study.').waitFor();
  });

  test('a press counts even if the name of the study comes while the finger is on the button', async () => {
    const study = await studyWith(null);
    const { page } = await openPhone(get());
    const answer = Promise.withResolvers<void>();
    await standIn(page.context(), '/enrol/about', async (request) => {
      await answer.promise;
      request.continue();
    });
    await page.goto((await codeOf(study)).url);
    const join = page.getByRole('button', { name: 'Join' });
    await join.hover();
    const place = await join.boundingBox();
    await page.mouse.down();
    answer.resolve();
    await page.getByText(`This code is for the study “Study ${studies}”.`).waitFor();
    expect(await join.boundingBox()).toEqual(place);
    await page.mouse.up();
    await page.getByRole('heading', { name: heading }).waitFor();
  });

  test('a service that does not answer is told after a while, and the next press joins', async () => {
    const study = await studyWith(null);
    const { page } = await openPhone(get());
    // Its time is not that of the page's clock.
    await page.addInitScript('delete AbortSignal.timeout');
    await page.clock.install();
    const sent = Promise.withResolvers<void>();
    await standIn(page.context(), '/enrol', () => sent.resolve());
    await page.goto((await codeOf(study)).url);
    await page.getByText(`This code is for the study “Study ${studies}”.`).waitFor();
    await page.getByRole('button', { name: 'Join' }).click();
    await sent.promise;
    await page.clock.runFor(20_000);
    await page.getByText('There is no internet right now.').waitFor();
    endStandIns(page.context());
    await page.getByRole('button', { name: 'Join' }).click();
    await page.getByRole('heading', { name: heading }).waitFor();
    expect(await membersOf(study)).toHaveLength(1);
  });

  test('a used code is no dead end for the phone whose answer was lost', async () => {
    const study = await studyWith();
    const { code } = created(await study.editor.post(`/investigation/${study.id}/enrolment`));
    const { page } = await openPhone(get());
    await page.goto(`${url()}/p/#${code}`);
    await standIn(page.context(), '/enrol', async (request) => {
      await request.fetch();
      request.abort();
    });
    await page.getByRole('button', { name: 'I have read this and take part' }).click();
    await page.getByText('There is no internet right now.').waitFor();
    endStandIns(page.context());
    await page.reload();
    await page.getByLabel('Your code').fill(code);
    await page.getByRole('button', { name: 'Join' }).click();
    await page.getByRole('heading', { name: heading }).waitFor();
    expect(await membersOf(study)).toHaveLength(1);
  });

  describeIPhone();

  function describeIPhone() {
    const manifestOf = (phone: Awaited<ReturnType<typeof openPhone>>) =>
      phone.page.evaluate<{ start_url: string; href: string }>(
        `fetch(document.querySelector('link[rel=manifest]').href.replace(/^data:/, 'data:')).then((r) => r.json())
          .catch(() => JSON.parse(decodeURIComponent(document.querySelector('link[rel=manifest]').href.split(',')[1])))
          .then((all) => ({ ...all, href: document.querySelector('link[rel=manifest]').href }))`,
      );
    const startOf = async (phone: Awaited<ReturnType<typeof openPhone>>) =>
      (await manifestOf(phone)).start_url;
    const joined = async (study: Study) => {
      const phone = await openPhone(get(), { userAgent: iPhone });
      await phone.page.goto((await codeOf(study)).url);
      await phone.page.getByRole('button', { name: 'Continue here, without reminders' }).click();
      await phone.page.getByRole('button', { name: 'Join' }).click();
      await phone.page.getByRole('heading', { name: 'Put this page on your home screen first' }).waitFor();
      return phone;
    };

    test('the page on the home screen of an iPhone is the participant of the browser', async () => {
      const study = await studyWith(null);
      const safari = await joined(study);
      await expect.poll(() => startOf(safari)).toMatch(/^http:\/\/[^#?]*\/p\/\?from=own#[0-9A-Z-]{14}$/);
      const { start_url: start, href } = await manifestOf(safari);
      expect(href).toMatch(/^data:application\/manifest\+json,/);
      await safari.page.getByText(start.split('#')[1] as string).waitFor();
      await expectFitsPhone(safari.page);
      const user = (await keptBy<{ user: string }>(safari.page, 'session'))?.user;

      const home = await openPhone(get());
      const asked: string[] = [];
      home.page.on('request', (request) => asked.push(request.url()));
      await home.page.goto(start);
      await home.page.getByRole('heading', { name: heading }).waitFor();
      expect((await keptBy<{ user: string }>(home.page, 'session'))?.user).toBe(user);
      expect(await membersOf(study)).toHaveLength(1);
      expect(asked.filter((one) => one.split('#')[0]?.includes(start.split('#')[1] as string))).toEqual([]);
      // The icon opens with the same address each time.
      await home.page.goto('about:blank');
      await home.page.goto(start);
      await home.page.getByRole('heading', { level: 1, name: 'Today' }).waitFor();

      await safari.page.goto(`${url()}/p/`);
      await safari.page.getByRole('heading', { name: 'The study continues from your home screen' }).waitFor();
      await expectAccessible(safari.page);

      const late = await openPhone(get());
      await late.page.goto(start);
      await late.page.getByRole('heading', { name: 'This page cannot continue by itself' }).waitFor();
      await expectAccessible(late.page);
      await late.page.getByRole('button', { name: 'Enter a code' }).click();
      await late.page.getByLabel('Your code').waitFor();
    });

    test('before joining, the home screen begins with the code of the link', async () => {
      const study = await studyWith();
      const { code, url: link } = await codeOf(study);
      const safari = await openPhone(get(), { userAgent: iPhone });
      await safari.page.goto(link);
      await expect.poll(() => startOf(safari)).toBe(`${url()}/p/?from=home#${code}`);
      const home = await openPhone(get());
      await home.page.goto(`${url()}/p/?from=home#${code}`);
      await home.page.getByRole('button', { name: 'I have read this and take part' }).click();
      await home.page.getByRole('heading', { name: heading }).waitFor();
    });

    test('an answer that waits in the browser is sent before the home screen takes over', async () => {
      const study = await studyWith(null);
      const safari = await joined(study);
      await expect.poll(() => startOf(safari)).toContain('from=own');
      await safari.page.evaluate(`new Promise((resolve) => {
        const opening = indexedDB.open('fieldbell', 1);
        opening.onsuccess = () => {
          const all = opening.result.transaction(['outbox', 'kept'], 'readwrite');
          all.objectStore('outbox').put({ identifier: '0'.repeat(31) + '1', state: 'waiting', user: 'x', survey: 'y', at: 1 });
          all.oncomplete = resolve;
        };
      }).then(() => new BroadcastChannel('fieldbell.participant').postMessage('changed'))`);
      await expect.poll(() => startOf(safari)).toBe('/p/');
    });

    test('other phones have the manifest of the page', async () => {
      const study = await studyWith(null);
      const phone = await openPhone(get());
      await phone.page.goto((await codeOf(study)).url);
      await phone.page.getByRole('button', { name: 'Join' }).click();
      await phone.page.getByRole('heading', { name: heading }).waitFor();
      expect(await manifestOf(phone)).toMatchObject({ start_url: '/p/', id: '/p/' });
      expect(await keptBy(phone.page, 'home-code')).toBeUndefined();
    });
  }
});
