import type { Study } from '../../api.ts';
import { strings } from '../../common-strings.ts';
import { Badge } from '../../components/states.tsx';

export function StudyBadges({ study: { status, frozenAt } }: { study: Study }) {
  return (
    <span class="badges">
      {status === 'archived' ? (
        <Badge tone="plain" icon="archive">
          {strings.status.archived}
        </Badge>
      ) : (
        <Badge tone="good">{strings.status.active}</Badge>
      )}
      {frozenAt && (
        <Badge tone="accent" icon="freeze">
          {strings.status.frozen}
        </Badge>
      )}
    </span>
  );
}
