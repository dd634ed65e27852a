/** A person's name, and their code in the study if they have one. */
export const Coded = ({ name, code }: { name: string; code?: string | undefined }) => (
  <>
    <bdi>{name}</bdi>
    {code !== undefined && (
      <>
        {' '}
        <bdi class="code">{code}</bdi>
      </>
    )}
  </>
);
