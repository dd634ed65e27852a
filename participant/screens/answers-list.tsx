import type { Survey } from '../snapshot.ts';
import { useTexts } from '../strings/texts.ts';

/** Answers as their person saw them. */
export function Answers({
  items,
  survey,
}: {
  items: Readonly<Record<string, string>>;
  survey: Survey | undefined;
}) {
  const { yes, no } = useTexts().texts.survey;
  const shown = (item: string, text: string) => {
    const { answer } = survey?.items.find(({ identifier }) => identifier === item) ?? {};
    if (answer?.kind === 'yes-no') return ({ yes, no } as Record<string, string>)[text] ?? text;
    if (answer?.kind !== 'choice' && answer?.kind !== 'choices') return text;
    const labelOf = (value: string) =>
      answer.options.find((option) => option.value === value)?.label ?? value;
    return answer.kind === 'choice' ? labelOf(text) : text.split(' ').map(labelOf).join(', ');
  };
  return (
    <dl>
      {Object.entries(items).map(([item, text]) => (
        <div key={item}>
          <dt>{survey?.items.find(({ identifier }) => identifier === item)?.label ?? item}</dt>
          <dd>{shown(item, text)}</dd>
        </div>
      ))}
    </dl>
  );
}
