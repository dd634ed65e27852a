import { z } from 'zod';
import { ACTIONS } from './actions.ts';
import { InputError } from './errors.ts';

/**
 * `truncated-xml`: half an answer. `html`: a proxy's error page. `reset`: no answer. In none of the three is the
 * call carried out. `accepted-then-reset`: it is, but the caller never learns.
 */
const KINDS = ['truncated-xml', 'html', 'reset', 'accepted-then-reset'] as const;
const KINDS_WITH_STATUS = ['truncated-xml', 'html'];
const MAX_DELAY_MS = 600_000;

const faultSchema = z
  .strictObject({
    action: z.enum(['*', ...ACTIONS.keys()]),
    /** The code of the error to answer with, such as `Throttled`. */
    code: z.string().regex(/^\w+$/, 'expected an error code such as Throttled').nullable().default(null),
    status: z.int().min(200).max(599).nullable().default(null),
    /** How many calls it hits; null, or 0 when set, means every call until it is cleared. */
    times: z
      .int()
      .min(0)
      .nullable()
      .default(1)
      .transform((times) => times || null),
    delayMs: z.int().min(0).max(MAX_DELAY_MS).default(0),
    kind: z.enum(KINDS).nullable().default(null),
    /** Hits only this device. */
    token: z.string().min(1).nullable().default(null),
    endpointArn: z.string().min(1).nullable().default(null),
  })
  .refine(({ code, kind, delayMs }) => code || kind || delayMs, 'expected a code, a kind or a delayMs')
  .refine(({ code, kind }) => !code || !kind || kind === 'truncated-xml', {
    path: ['code'],
    message: 'goes only with the kind truncated-xml, or with none',
  })
  .refine(({ status, code, kind }) => status === null || code || KINDS_WITH_STATUS.includes(kind ?? ''), {
    path: ['status'],
    message: 'needs a code, or the kind truncated-xml or html',
  });

const faultsSchema = z.array(faultSchema).min(1);

export type Fault = z.output<typeof faultSchema>;

/** The device that a call is about. */
export interface Device {
  token: string | undefined;
  endpointArn: string | undefined;
}

/** Reads the body of `POST /faults`: one fault or an array of them. */
export function parseFaults(body: unknown): Fault[] {
  const result = (Array.isArray(body) ? faultsSchema : faultSchema).safeParse(body);
  if (result.success) return [result.data].flat();
  throw new InputError(z.prettifyError(result.error));
}

/** The failures to come, in the order they were asked for. */
export class Faults {
  #pending: Fault[] = [];

  add(faults: Fault[]): void {
    this.#pending.push(...faults);
  }

  list(): readonly Fault[] {
    return this.#pending;
  }

  clear(): void {
    this.#pending = [];
  }

  /** The first fault that hits this call, used up by one. */
  take(action: string, device: Device): Fault | undefined {
    const fault = this.#pending.find(
      (candidate) =>
        (candidate.action === '*' || candidate.action === action) &&
        (candidate.token === null || candidate.token === device.token) &&
        (candidate.endpointArn === null || candidate.endpointArn === device.endpointArn),
    );
    if (fault?.times) {
      fault.times -= 1;
      if (fault.times === 0) this.#pending = this.#pending.filter((pending) => pending !== fault);
    }
    return fault;
  }
}
