export const strings = {
  title: 'Members',
  about: 'The people in this study and their roles.',
  caption: 'Members of the study',
  name: 'Name',
  role: 'Role',
  program: 'Program',
  roleOf: (name: string) => `Role of ${name}`,
  addCode: 'Add a code',
  codeOf: (name: string, code: string | undefined) =>
    code === undefined ? `Add a code for ${name}` : `Change the code of ${name}: ${code}`,
  codeTitle: (name: string) => `Code of ${name}`,
  codeHint:
    'A code stands for this person in your own lists, for example P-017. Participants do not see codes. An empty field means no code.',
  codeSaved: (name: string, code: string | null) =>
    code === null ? `${name} has no code now.` : `The code of ${name} is ${code}.`,
  noneOfCode: (code: string) => `Nobody has the code ${code}`,
  codes: 'Codes for participants',
  enrolledBy: (label: string | undefined) =>
    label === undefined ? 'with a code' : `with the code “${label}”`,
  actions: 'Actions',
  you: '(you)',
  show: 'Show',
  everyone: 'Everyone',
  empty: 'Nobody takes part yet',
  noneOfRole: (role: string) => `There is no ${role.toLowerCase()}`,
  showEveryone: 'Show everyone',
  changed: (name: string, role: string) => `The role of ${name} is now ${role.toLowerCase()}.`,
  remove: 'Remove',
  removeOf: (name: string) => `Remove ${name}`,
  removeTitle: (name: string) => `Remove ${name}?`,
  removeAbout:
    'This person loses access at once and gets no more reminders from this study. Their answers stay in the study.',
  leave: 'Leave the study',
  leaveTitle: 'Leave this study?',
  leaveAbout:
    'You lose access at once and get no more reminders from this study. Your answers stay in the study. Only an owner can add you again.',
  removed: (name: string) => `${name} is no longer a member.`,
  left: 'You have left the study.',
  demoteTitle: 'Give up your own role?',
  demoteAbout: (role: string) =>
    `Your role would be ${role.toLowerCase()}, and only another owner could make you an owner again.`,
  demote: 'Give up the role',

  invite: 'Invite',
  inviteTitle: 'Invite somebody',
  inviteSubmit: 'Invite',
  email: 'E-mail address',
  emailHint:
    'The person signs in with this address. The console does not say whether the address has an account.',
  roleHints: {
    owner: 'Owners change everything, including members and the study itself.',
    editor: 'Editors change surveys and reminders, and see all data.',
    monitor:
      'Monitors see all data, and lock and unlock. They change nothing else, and see no codes for joining.',
    responder: 'Participants answer surveys in the study’s app, and get reminders.',
  },
  invited: (email: string) => `${email} is invited.`,
  invitationsTitle: 'Open invitations',
  invitationsAbout:
    'Invitations expire after 30 days. Anybody who signs in with the invited address can accept the invitation.',
  waitsSince: 'Open since',
  invitationsCaption: 'Open invitations',
  noInvitations: 'There are no open invitations',
  noInvitationsAbout: 'Invite people by the e-mail address that they sign in with.',
  copyLink: 'Copy link',
  mail: 'Write an e-mail',
  mailTo: (email: string) => `Write an e-mail to ${email}`,
  revoke: 'Revoke',
  revokeOf: (email: string) => `Revoke the invitation for ${email}`,
  revoked: (email: string) => `The invitation for ${email} is revoked.`,
  mailSubject: (study: string) => `Invitation to the study “${study}”`,
  mailBody: (study: string, role: string, email: string, link: string) =>
    [
      'Hello,',
      `You are invited to the study “${study}”. Your role: ${role.toLowerCase()}.`,
      `Open this link, and sign in as ${email}:`,
      link,
      'The invitation expires after 30 days.',
    ].join('\n\n'),
} as const;
