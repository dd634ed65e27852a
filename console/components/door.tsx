import type { ComponentChildren } from 'preact';
import { Icon } from './icon.tsx';
import { PageHead } from './page-head.tsx';

/** The frame of the screens before the console: signing in and signing up. */
export const Door = ({ title, children }: { title: string; children: ComponentChildren }) => (
  <main class="door">
    <div class="door-card">
      <span class="brand-mark large">
        <Icon name="bell" />
      </span>
      <PageHead title={title} />
      {children}
    </div>
  </main>
);
