import { Button } from '../../components/button.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { Icon } from '../../components/icon.tsx';
import { formatExactTime } from '../../format.ts';
import type { RequestOptions } from '../../list-pages.ts';
import { strings } from './overview-strings.ts';

const path = '/health/ready';

interface Readiness {
  status?: unknown;
  causes?: string[];
}

/** The causes of late reminders, by the service's readiness; undefined if it is ready or does not answer. */
export async function readLateness({ init }: RequestOptions): Promise<string[] | undefined> {
  try {
    const response = await fetch(path, init);
    if (response.status !== 503) return undefined;
    const { status, causes = [] } = (await response.json()) as Readiness;
    return status === 'late' ? causes : undefined;
  } catch {
    return undefined;
  }
}

/** Overdue reminders or a failing relay, with a report for the operator of the service. */
export function Late({ causes, onAgain }: { causes: readonly string[]; onAgain: () => void }) {
  const { late } = strings;
  const sentences = causes.map((cause) => late.causes[cause] ?? cause);
  const address = new URL(path, location.origin).href;
  const report = late.report(formatExactTime(new Date().toISOString()), address, sentences);
  return (
    <div class="note danger late">
      <Icon name="warning" />
      <div>
        <h3>{late.title}</h3>
        <ul class="plain-list">
          {sentences.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
        <p>{late.about}</p>
        <p class="row-actions">
          <CopyButton text={report} label={late.next} />
          <Button onClick={onAgain}>{late.again}</Button>
        </p>
      </div>
    </div>
  );
}
