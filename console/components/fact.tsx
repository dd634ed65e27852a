import type { ComponentChildren } from 'preact';

/** One of the facts in a list of them. */
export const Fact = ({ term, children }: { term: string; children: ComponentChildren }) => (
  <div>
    <dt>{term}</dt>
    <dd dir="auto">{children}</dd>
  </div>
);
