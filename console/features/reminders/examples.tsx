import { Button } from '../../components/button.tsx';
import { useStudy } from '../../study-context.ts';
import { exampleNames, withExample } from './example-drafts.ts';
import type { DraftProps } from './reminder-draft.ts';
import { strings } from './reminder-strings.ts';

/** Usual designs, of which one press fills the form. */
export function Examples({ draft, set }: DraftProps) {
  const { study } = useStudy();
  return (
    <section class="card starting-examples" aria-labelledby="examples">
      <h2 id="examples">{strings.examples.label}</h2>
      <div class="starting-buttons">
        {exampleNames.map((name) => (
          <Button key={name} onClick={() => set(withExample(draft, name, study.dates ?? []))}>
            {strings.examples[name]}
          </Button>
        ))}
      </div>
      <p class="hint">{strings.examples.hint}</p>
    </section>
  );
}
