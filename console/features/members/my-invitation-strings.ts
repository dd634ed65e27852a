export const strings = {
  title: 'Invitations for you',
  from: (who: string, role: string) =>
    who === ''
      ? `You are invited to join as ${role.toLowerCase()}.`
      : `${who} invites you to join as ${role.toLowerCase()}.`,
  expires: 'Open until',
  accept: 'Accept',
  acceptOf: (study: string) => `Accept the invitation to ${study}`,
  decline: 'Decline',
  declineOf: (study: string) => `Decline the invitation to ${study}`,
  declined: (study: string) => `You declined the invitation to “${study}”.`,
} as const;
