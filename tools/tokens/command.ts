import { parseArgs } from 'node:util';
import * as z from 'zod';
import { portDefaults, settingDefaults } from '../settings/defaults.ts';
import { checkSettings, type Environment, readSettings } from '../settings/settings.ts';
import { StartError } from '../settings/start-error.ts';
import { consoleLink } from '../start/summary.ts';
import { signToken, type TokenOptions } from './sign.ts';

const usage = `Usage: npm run -s token -- <subject> [--email a@b.c] [--expires-in 3600] [--auth-time <seconds ago>] [--console]

Prints a token for local mode. The subject (1 to 255 characters) names the person. --email is included as verified.
--expires-in is in seconds. A negative number makes an expired token.
--auth-time says how many seconds ago the person signed in: 0 for a fresh sign-in, which a signature needs.
--console prints a link that signs in to the console of npm start (or of PORT), freshly.`;

const maxSeconds = 10 * 366 * 86_400;

const argumentsSchema = z.object({
  subject: z.string().min(1).max(255),
  email: z
    .string()
    .regex(/^[^@\s]+@[^@\s]+$/)
    .max(254)
    .optional(),
  expiresIn: z
    .string()
    .regex(/^-?\d{1,9}$/)
    .transform(Number)
    .refine((seconds) => Math.abs(seconds) <= maxSeconds),
  authTime: z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number)
    .optional(),
  console: z.boolean().default(false),
});

function readArguments(args: string[]): (TokenOptions & { console: boolean }) | undefined {
  try {
    const { values, positionals } = parseArgs({
      args: joinNegative(args),
      options: {
        email: { type: 'string' },
        'expires-in': { type: 'string', default: '3600' },
        'auth-time': { type: 'string' },
        console: { type: 'boolean' },
      },
      allowPositionals: true,
    });
    const [subject, ...more] = positionals;
    const read = argumentsSchema.safeParse({
      subject,
      email: values.email,
      expiresIn: values['expires-in'],
      authTime: values['auth-time'] ?? (values.console ? '0' : undefined),
      console: values.console,
    });
    return more.length === 0 ? read.data : undefined;
  } catch {
    return undefined;
  }
}

/** Makes `--expires-in -60` one argument, because parseArgs takes anything with a dash for an option. */
function joinNegative(args: string[]): string[] {
  const at = args.indexOf('--expires-in');
  const [option, value] = args.slice(at, at + 2);
  if (at < 0 || !value?.startsWith('-')) return args;
  return args.toSpliced(at, 2, `${option}=${value}`);
}

/** Only the settings of tokens matter here. Others may be wrong. */
function readAuth(env: Environment) {
  const settings = readSettings(env);
  const auth = Object.entries(settings).filter(([name]) => name.startsWith('AUTH_'));
  return checkSettings({ ...settingDefaults, AUTH_SECRET: '', ...Object.fromEntries(auth) }).auth;
}

/** The command's output, and its exit status. */
export async function tokenCommand(args: string[], env: Environment) {
  const failed = (status: number, stderr: string) => ({ status, stdout: '', stderr: `${stderr}\n` });
  const options = readArguments(args);
  if (!options) return failed(2, usage);
  try {
    const token = await signToken(readAuth(env), options);
    const url = `http://127.0.0.1:${env.PORT || portDefaults.api}`;
    return { status: 0, stdout: `${options.console ? consoleLink(url, token) : token}\n`, stderr: '' };
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    return failed(1, error.message);
  }
}
