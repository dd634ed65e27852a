import { useEffect, useState } from 'preact/hooks';
import { useAnswer } from '../../answers.ts';
import { type AnswerOf, api } from '../../api.ts';
import { viewerZone } from '../../format.ts';
import { useStudy } from '../../study-context.ts';
import type { Timing } from './reminder-draft.ts';

export type Occurrence = AnswerOf<(typeof api.reminders.preview)['$post']>['occurrences'][number];

/** The person to preview for, and the first day. Dates and times are empty until chosen. */
export interface PreviewOptions {
  zone: string;
  from: string;
  downloadedOn: string;
  /** On the viewer's clock, as the browser's field has it. */
  respondedAt: string;
  quietFrom: string;
  quietTo: string;
}

/** Today in the viewer's zone. */
const today = () => new Intl.DateTimeFormat('en-CA', { timeZone: viewerZone }).format();

/** The next reminders as the service computes them, after each change of the form. */
export function usePreview(timing: Timing) {
  const { study } = useStudy();
  const [options, setOptions] = useState<PreviewOptions>(() => ({
    zone: study.timeZone,
    from: '',
    downloadedOn: today(),
    respondedAt: `${today()}T12:00`,
    quietFrom: '',
    quietTo: '',
  }));
  const [openedAt] = useState(() => new Date().toISOString());
  const { zone, from, downloadedOn, respondedAt: typed, quietFrom, quietTo } = options;
  const respondedAt = typed ? new Date(typed).toISOString() : openedAt;
  const body = {
    reminders: timing,
    timeZone: zone,
    studyTimeZone: study.timeZone,
    ...startOf(timing.type, { startsOn: study.startsOn, downloadedOn, respondedAt }),
    ...(quietFrom && quietTo && { quietHours: { from: quietFrom, to: quietTo } }),
    ...(from ? { from: `${from}T00:00:00.000Z` } : timing.type === 'rolling' && { from: openedAt }),
    count: 10,
  };
  const json = useDebounced(JSON.stringify(body));
  const answer = useAnswer(['preview', json], (options) =>
    api.reminders.preview.$post({ json: JSON.parse(json) as typeof body }, options),
  );
  return {
    ...answer,
    options,
    setOptions: (change: Partial<PreviewOptions>) => setOptions((now) => ({ ...now, ...change })),
  };
}

/** The start of a preview of reminders of this type; a response is an example. */
export const startOf = (
  type: Timing['type'],
  { startsOn, downloadedOn, respondedAt = '2026-01-01T00:00:00.000Z' }: Starts,
) => (type === 'rolling' ? { startsOn } : type === 'fixed' ? { downloadedOn } : { respondedAt });

interface Starts {
  startsOn: string;
  downloadedOn: string;
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
