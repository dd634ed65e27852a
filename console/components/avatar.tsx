/** Decoration: the name stands beside it. */
export const Avatar = ({ user }: { user: string }) => (
  <img class="avatar" src={`/user/${user}/avatar`} alt="" width="28" height="28" loading="lazy" />
);
