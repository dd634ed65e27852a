import { Icon } from '../../components/icon.tsx';
import { useStudy } from '../../study-context.ts';
import { useSetAsideCount } from './set-aside.ts';
import { strings } from './set-aside-strings.ts';

/** Tells owners and editors that answers wait for them; nothing if none do. */
export function SetAsideNote() {
  const { screenPath } = useStudy();
  const { n, more } = useSetAsideCount();
  if (n === 0) return null;
  return (
    <p class="note warn">
      <Icon name="warning" />
      <span>
        {strings.waiting(n, more)} <a href={screenPath('/data/set-aside')}>{strings.look}</a>
      </span>
    </p>
  );
}
