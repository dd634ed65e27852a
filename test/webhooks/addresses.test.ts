import { expect, test } from 'vitest';
import { expectProblem } from '../support/worker/expect-problem.ts';
import { sleepStudy } from '../support/worker/world.ts';

/** IANA, special-purpose address registries (2025), multicast, and addresses that stand for others: one of each. */
const closedV4 =
  '0.0.0.0 0.255.255.255 10.0.0.1 10.255.255.255 100.64.0.1 100.127.255.255 127.0.0.1 127.255.255.255 169.254.169.254 172.16.0.1 172.31.255.255 192.0.0.1 192.0.0.255 192.0.2.1 192.31.196.1 192.52.193.1 192.88.99.1 192.168.0.1 192.175.48.1 198.18.0.1 198.19.255.255 198.51.100.1 203.0.113.1 224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255';
const closedV6 =
  ':: ::1 ::7f00:1 ::ffff:8.8.8.8 ::ffff:0:808:808 64:ff9b::808:808 64:ff9b:1::1 100::1 100:0:0:1::1 2001::1 2001:1::1 2001:2::1 2001:3::1 2001:4:112::1 2001:10::1 2001:20::1 2001:30::1 2001:1ff::1 2001:db8::1 2002:7f00:1:: 2002:808:808::1 2620:4f:8000::1 3fff::1 4000::1 5f00::1 fc00::1 fd00::1 fe80::1 febf::1 fec0::1 ff02::1 ff0e::1';

const privateNames =
  'localhost intranet app.localhost printer.local router.localdomain db.internal wiki.intranet nas.lan files.corp tv.home gate.home.arpa x.private x.test x.invalid x.onion localhost. db.internal.';

const noNames = '.. . a..example.org -a.example.org a-.example.org example.123 [::1 a_b';

const texts = [
  'nothing',
  'http://hooks.example.org/',
  'ftp://hooks.example.org/',
  'javascript:alert(1)',
  'https://user:pass@hooks.example.org/',
  'https://user@hooks.example.org/',
  'https://:password@hooks.example.org/',
  'https://2130706433/',
  'https://0x7f.1/',
  'https://%31%30.0.0.1/',
  'https://１０.0.0.1/',
  `https://${`${'a'.repeat(60)}.`.repeat(5)}example.org/`,
  `https://${'a'.repeat(64)}.example.org/`,
  ...closedV4.split(' ').map((address) => `https://${address}/`),
  ...closedV6.split(' ').map((address) => `https://[${address}]/`),
  ...privateNames.split(' ').map((name) => `https://${name}/`),
  ...noNames.split(' ').map((name) => `https://${name}/`),
];

test('a webhook leads to the public internet, by https, with a name or an address of it', async () => {
  const { owner, id } = await sleepStudy();
  const path = `/investigation/${id}/webhook`;
  for (const url of texts) {
    const answer = await owner.post(path, { url });
    expect(answer.status, url).toBe(400);
    expectProblem(answer, 'request.invalid', ['/url']);
  }
  expect((await owner.get(`/investigation/${id}/webhooks`)).body.webhooks).toEqual([]);
  const open = ['https://hooks.example.org:8443/x?y', 'https://8.8.8.8/', 'https://[2606:4700::1]/'];
  const { identifier } = (await owner.post(path, { url: 'https://Hooks.Example.org./' })).body;
  for (const url of open)
    expect((await owner.patch(`/webhook/${identifier}`, { url })).body).toMatchObject({ url });
  for (const url of ['https://[2002:7f00:1::]/', 'https://:password@hooks.example.org/', 'https://../'])
    expectProblem(await owner.patch(`/webhook/${identifier}`, { url }), 'request.invalid', ['/url']);
});
