import { Time } from './time.tsx';

/** Instants one below the other; `none` stands for an empty list. */
export const TimeList = ({ list, zone, none }: { list: readonly string[]; zone: string; none: string }) =>
  list.length === 0 ? (
    <span class="muted">{none}</span>
  ) : (
    <ul class="plain-list">
      {list.map((at) => (
        <li key={at}>
          <Time at={at} zone={zone} />
        </li>
      ))}
    </ul>
  );
