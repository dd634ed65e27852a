import { styleText } from 'node:util';
import type { Demo } from '../demo/seed.ts';
import { demoStudy } from '../demo/study.ts';
import type { StartOptions } from '../settings/settings.ts';

const { people, timeZone } = demoStudy;
/** A link that signs in to the console: the fragment stays in the browser, and the page removes it at once. */
export const consoleLink = (url: string, token: string) => `${url}/console#token=${token}`;

const bold = (text: string) => styleText('bold', text);
const dim = (text: string) => styleText('dim', text);

/** The phones' page, and the receiver of webhooks. */
export const localSns = ({ snsPort }: Pick<StartOptions, 'snsPort'>) => `http://127.0.0.1:${snsPort}`;

/** The addresses of everything. */
export function describeAddresses(options: StartOptions): string {
  const { port, foreignSns, settings, stateFolder } = options;
  const api = `http://127.0.0.1:${port}`;
  const sns = foreignSns ? settings.SNS_ENDPOINT : localSns(options);
  return `
${bold('Fieldbell is running.')} ${dim('Ctrl-C stops it; its state is kept.')}

  ${bold('API')}       ${api}
  ${bold('Docs')}      ${api}/docs ${dim('(every operation, to read and try in a browser)')}
  ${bold('Console')}   ${api}/console ${dim('(for people who run a study, in a browser)')}
  ${bold('Phones')}    ${sns} ${dim(foreignSns ? '(SNS_ENDPOINT; the local SNS was not started)' : '(what each phone shows, in a browser)')}${
    foreignSns
      ? ''
      : `
  ${bold('Webhooks')}  ${sns}/webhooks/ ${dim('(a receiver: its calls, and whether their signatures hold)')}`
  }
  ${bold('State')}     ${stateFolder}`;
}

/**
 * Commands to try in the demo study. `headerFile` holds the owner's token, so that lines are short enough to paste.
 * @param sns the local SNS, if it was started
 */
export function describeDemo(url: string, demo: Demo, headerFile: string, sns?: string): string {
  const { study, response, tokens, enrolment } = demo;
  const auth = `-H ${quote(`@${headerFile}`)}`;
  const json = `-H 'content-type: application/json'`;
  const lock = JSON.stringify({ responses: [{ identifier: response }], status: 'locked' });
  const status = `-w '\\n%{http_code}\\n'`;
  return `  ${bold('Study')}     ${study} ${dim(`(${demoStudy.name})`)}
  ${bold('People')}    ${Object.values(people)
    .map(({ name, subject }) => `${name} ${dim(`(${subject})`)}`)
    .join(', ')}
  ${bold('Reminder')}  ${describeReminder(demo.reminder)}
  ${bold('Token')}     ${dim(`of ${people.owner.name}, for 12 hours. Others: npm run -s token -- ${people.responder.subject}`)}
${demo.ownerToken}

${bold('The console')} ${dim('of the study, signed in as each of them for 12 hours')}
${tokens.map(({ name, token }) => `\n${name}: ${consoleLink(url, token)}`).join('\n')}
${enrolment === undefined ? '' : `\n${bold('Take part yourself')} ${dim('in a browser or on a phone: the link enrols whoever opens it')}\n\n${enrolment}\n`}
${bold('Try it')} ${dim(`as ${people.owner.name}: read the responses; lock one (204); see that it refuses to be changed (423)`)}

curl -s ${auth} '${url}/investigation/${study}/responses?locked=false&limit=2' ${status}

curl -s ${auth} ${json} ${url}/investigation/${study}/lock-items -d '${lock}' ${status}

curl -s -X PATCH ${auth} ${json} ${url}/response/${response} -d '{"items":{"rested":"5"}}' ${status}
${sns === undefined ? '' : describeWebhook(`curl -s ${auth} ${json} ${url}/investigation/${study}/webhook`, sns)}`;
}

/** The answer of the creation has the secret, which the receiver needs. */
const describeWebhook = (curl: string, sns: string) => `
${bold('A webhook')} ${dim(`of the study, whose calls ${sns}/webhooks/ shows`)}

${curl} -d '${JSON.stringify({ url: `${sns}/webhooks/calls`, after: 0 })}' | curl -s ${sns}/webhooks/secrets -d @- -w '%{http_code}\\n'
`;

function describeReminder(reminder: Demo['reminder']): string {
  if ('problem' in reminder) return reminder.problem;
  const { at } = reminder;
  const time = new Intl.DateTimeFormat('en-GB', { timeZone, timeStyle: 'short' }).format(at);
  const seconds = Math.round((at - Date.now()) / 1000);
  const wait = seconds < 180 ? `in ${seconds} s` : `on ${new Date(at).toISOString()}`;
  return `for ${people.responder.name} at ${time} in ${timeZone}, ${wait}: watch the phone`;
}

const quote = (text: string) => (/^[\w@/.:+-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);
