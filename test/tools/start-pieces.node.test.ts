import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, vi } from 'vitest';
import { recurrenceSoon } from '../../tools/demo/seed.ts';
import { msToNextTick, startCron } from '../../tools/worker/cron.ts';
import { createLogFilter } from '../../tools/worker/log.ts';
import { eventuallyPasses } from '../support/eventually.ts';

describe('the cron trigger', () => {
  it.each([
    ['12:00:00.000', 1_000],
    ['12:00:00.999', 60_001],
    ['12:00:01.000', 60_000],
    ['12:00:31.500', 29_500],
  ])('at %s fires next in %i ms: a second after the full minute', (time, ms) => {
    expect(msToNextTick(Date.parse(`2026-11-20T${time}Z`))).toBe(ms);
  });

  it('fires at once with the full minute, and tells in one line when that fails', async () => {
    const asked: URL[] = [];
    const server = createServer((request, response) => {
      asked.push(new URL(request.url ?? '', 'http://worker'));
      response.end('{"outcome":"exception","noRetry":false}');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const report = vi.fn();
    const cron = startCron(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, report);
    await eventuallyPasses(() => expect(report).toHaveBeenCalledOnce());
    cron.stop();
    server.close();

    expect(report).toHaveBeenCalledWith('The cron trigger failed: outcome exception');
    const [url] = asked;
    expect(url?.pathname).toBe('/cdn-cgi/local/scheduled');
    expect(url?.searchParams.get('cron')).toBe('* * * * *');
    expect(Number(url?.searchParams.get('time')) % 60_000).toBe(0);
  });
});

describe('the reminder of the demo study', () => {
  it.each([
    ['2026-11-20T11:00:39.000Z', '1 12 * * *'],
    ['2026-11-20T11:00:41.000Z', '2 12 * * *'],
    ['2026-11-20T22:59:50.000Z', '1 0 * * *'],
    ['2026-07-01T11:00:00.000Z', '1 13 * * *'],
  ])('set at %s rings in Paris at %s', (now, recurrence) => {
    expect(recurrenceSoon(Date.parse(now))).toBe(recurrence);
  });
});

describe('the output of wrangler that is worth showing', () => {
  it('is what went wrong, with what is indented under it', () => {
    const show = createLogFilter();
    const said = [
      ['stdout', 'Your Worker has access to the following bindings:'],
      ['stdout', '[wrangler:info] Ready on http://127.0.0.1:8787'],
      ['stdout', '{"event":"request","status":200,"ms":3}'],
      ['stdout', '{"event":"request.failed","error":"Error: no such table: user"}'],
      ['stdout', '{"event":"sweep","overdue":1}'],
      ['stdout', '[wrangler:error] Error: boom'],
      ['stdout', '    at fetch (src/worker.ts:30:3)'],
      ['stdout', '[wrangler:info] GET / 500 Internal Server Error (3ms)'],
      ['stderr', '\u001b[33m▲ [WARNING] Scheduled Workers are not automatically triggered\u001b[0m'],
      ['stderr', ''],
      ['stderr', '  To manually trigger a scheduled event, run:'],
      ['stderr', '✘ [ERROR] Uncaught Error: Network connection lost. '],
      ['stderr', '✘ [ERROR] '],
      ['stderr', '✘ [ERROR] Build failed with 1 error:'],
      ['stderr', '  src/app.ts:4:9: Unexpected "="'],
    ] as const;
    expect(said.filter(([stream, line]) => show(stream, line)).map(([, line]) => line)).toEqual([
      '{"event":"request.failed","error":"Error: no such table: user"}',
      '[wrangler:error] Error: boom',
      '    at fetch (src/worker.ts:30:3)',
      '✘ [ERROR] Build failed with 1 error:',
      '  src/app.ts:4:9: Unexpected "="',
    ]);
  });

  /** As thousands of clients that hung up made workerd and wrangler say them, and 24 at a time until files ran out. */
  const path = '/home/ada/fieldbell/node_modules/@cloudflare/workerd-linux-64/bin/workerd';
  const error = '\u001b[31m✘ \u001b[41;31m[\u001b[41;97mERROR\u001b[41;31m]\u001b[0m \u001b[1m';
  const overload = `${error}e = rust/worker/ffi.rs:110: overloaded: Too many open files (os error 24)\u001b[0m`;
  const stack = `  stack: ${path}@26b6840 ${path}@3735350; sentryErrorContext = jsgInternalError; wdErrId = dt3mq7b6og`;
  const lost =
    'Error inside ProxyWorker (the affected request failed; the dev server continues): POST http://127.0.0.1:8787/investigation/01/case (failed after 1 attempt):';

  it('is no client that hung up, and no stack of the local runtime', () => {
    const show = createLogFilter();
    const said = [
      ['stderr', `${error}${lost} Network connection lost.\u001b[0m`],
      ['stderr', `${error}${lost} Can't read from request stream because client disconnected.\u001b[0m`],
      ['stderr', `${error}Failed to drain the unused request body. Error: Network connection lost.\u001b[0m`],
      [
        'stderr',
        '      at async aK (file:///home/ada/fieldbell/node_modules/wrangler/templates/middleware.ts:10:14) {',
      ],
      ['stderr', '    retryable: true'],
      ['stderr', '  }'],
      ['stderr', ''],
      ['stdout', '{"event":"client.closed","requestId":"1","error":"Error: Network connection lost."}'],
      ['stderr', overload],
      ['stderr', ''],
      ['stderr', stack],
    ] as const;
    expect(said.filter(([stream, line]) => show(stream, line)).map(([, line]) => line)).toEqual([overload]);
  });

  it('is still every fault of the service between them', () => {
    const show = createLogFilter();
    const faults = [
      ['stderr', `${error}${lost} The script will never generate a response.\u001b[0m`],
      ['stdout', '{"event":"request.failed","error":"Error: no such table: user"}'],
      ['stderr', `${error}Uncaught TypeError: user is undefined\u001b[0m`],
      ['stderr', '      at readUser (src/people/users.ts:20:3)'],
      ['stdout', '[wrangler:error] Error: boom'],
      ['stdout', '    at fetch (src/worker.ts:30:3)'],
    ] as const;
    for (const [stream, line] of faults) {
      expect(show(stream, line), line).toBe(true);
      expect(show('stderr', stack)).toBe(false);
    }
  });
});
