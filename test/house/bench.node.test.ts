import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createCertificate } from '../../bench/delivery/certificate.ts';
import { inFolder } from '../../bench/support/folders.ts';
import { createFile } from '../../bench/support/sqlite.ts';
import { studyRows } from '../../bench/support/study-rows.ts';

test('the rows that the bench inserts fit the tables', () =>
  inFolder(async (folder) => {
    const now = Date.parse('2027-03-01T08:00:00.000Z');
    const reminders = { due: now, zone: 'Europe/Paris', history: { members: 1, days: 2 } };
    const rows = studyRows({ study: 0, members: 2, responses: 2, reminders, now });
    await createFile(join(folder, 'fieldbell.db'), rows);
  }));

test('the SNS of a run over TLS has a certificate that the bench trusts', () =>
  inFolder(async (folder) => {
    const { certificate, key } = createCertificate(folder);
    const files = { cert: readFileSync(certificate), key: readFileSync(key) };
    const server = createServer(files, (_, response) => response.end('by TLS')).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const answer = await fetch(`https://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    expect(await answer.text()).toBe('by TLS');
    server.close();
    server.closeAllConnections();
  }));
