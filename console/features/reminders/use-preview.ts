import { useEffect, useState } from 'preact/hooks';
import { useAnswer } from '../../answers.ts';
import { type AnswerOf, api } from '../../api.ts';
import { todayIn, viewerZone } from '../../format.ts';
import { useStudy } from '../../study-context.ts';
import type { Timing } from './reminder-draft.ts';

export type Occurrence = AnswerOf<(typeof api.reminders.preview)['$post']>['occurrences'][number];

/** The person to preview for, and the first day. Dates and times are empty until chosen. */
export interface PreviewOptions {
  zone: string;
  from: string;
  /** Of fixed reminders: the date from which days are counted. */
  dayZero: string;
  /** On the viewer's clock, as the browser's field has it. */
  respondedAt: string;
  quietFrom: string;
  quietTo: string;
}

const today = () => todayIn(viewerZone);

/** The next reminders as the service computes them, after each change of the form. */
export function usePreview(timing: Timing) {
  const { study } = useStudy();
  const [options, setOptions] = useState<PreviewOptions>(() => ({
    zone: study.timeZone,
    from: '',
    dayZero: today(),
    respondedAt: `${today()}T12:00`,
    quietFrom: '',
    quietTo: '',
  }));
  const [openedAt] = useState(() => new Date().toISOString());
  const { zone, from, dayZero, respondedAt: typed, quietFrom, quietTo } = options;
  const respondedAt = typed ? new Date(typed).toISOString() : openedAt;
  const body = {
    reminders: timing,
    timeZone: zone,
    studyTimeZone: study.timeZone,
    ...startOf(timing, { startsOn: study.startsOn, dayZero, respondedAt }),
    ...(quietFrom && quietTo && { quietHours: { from: quietFrom, to: quietTo } }),
    ...(from ? { from: `${from}T00:00:00.000Z` } : timing.type === 'rolling' && { from: openedAt }),
    count: 10,
  };
  const json = useDebounced(JSON.stringify(body));
  const asked = JSON.parse(json) as typeof body;
  const answer = useAnswer(['preview', json], (options) =>
    api.reminders.preview.$post({ json: asked }, options),
  );
  const isFaultless = !answer.loading && answer.error === undefined;
  return {
    ...answer,
    /** The days and times that the service has found without fault. */
    faultless: isFaultless ? asked.reminders : undefined,
    options,
    setOptions: (change: Partial<PreviewOptions>) => setOptions((now) => ({ ...now, ...change })),
  };
}

/** The start of a preview of such reminders; a response is an example. */
export const startOf = (
  { type, from = 'download' }: Pick<Timing, 'type' | 'from'>,
  { startsOn, dayZero, respondedAt = '2026-01-01T00:00:00.000Z' }: Starts,
) => {
  if (type !== 'fixed') return type === 'rolling' ? { startsOn } : { respondedAt };
  if (typeof from === 'object') return { dates: { [from.date]: dayZero } };
  return from === 'joined' ? { joinedOn: dayZero } : { downloadedOn: dayZero };
};

interface Starts {
  startsOn: string;
  dayZero: string;
  respondedAt?: string;
}

/** The value, once typing has paused for a moment. */
function useDebounced(value: string): string {
  const [debounced, setDebounced] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(value), 250);
    return () => clearTimeout(timer);
  }, [value]);
  return debounced;
}
