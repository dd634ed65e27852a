import { faultsIn } from './mutant.ts';

/** Who is let in: nobody without a yes of their own, and by an address only who proved it last. */
export const invitations = [
  ...faultsIn(
    'src/model/invitations.ts',
    ['test/routes/invitations.test.ts'],
    [
      [
        'who is invited is a member without having said yes',
        'db.delete(invitations).where(isInvitation(investigation, email)),',
        `db.delete(invitations).where(isInvitation(investigation, email)),
        db.insert(members).select(
          sql\`select \${investigation}, id, \${role}, \${now}, null from user where email = \${email}\`),`,
      ],
      [
        'anyone declines an invitation',
        '        eq(invitations.email, emailOf(actor)),\n        eq(',
        '        eq(',
      ],
      [
        'an invitation holds for ever',
        'gt(invitations.createdAt, now - invitationLifetimeMs)',
        'gt(invitations.createdAt, -now)',
      ],
      [
        'as many invitations as they like wait for an address',
        '? sql`and ${waitingFor(email, now)} < ${limits.invitations}`',
        '? sql``',
      ],
    ],
  ),
  ...faultsIn(
    'src/model/invitation-acceptance.ts',
    ['test/routes/invitations.test.ts'],
    [
      [
        'an invitation changes the role of a member',
        'const joined = waiting.filter(({ isMember }) => !isMember);',
        'const joined = waiting.filter(({ isMember }) => isMember !== 2);',
      ],
    ],
  ),
  ...faultsIn(
    'src/model/sign-ups.ts',
    ['test/routes/invitations.test.ts'],
    [
      [
        'signing up says yes for those who want to be asked',
        'email !== null && acceptInvitations ? invited : []',
        'email !== null ? invited : []',
      ],
    ],
  ),
  ...faultsIn(
    'src/model/sign-ups.ts',
    ['test/routes/emails.test.ts'],
    [
      [
        'the former holder of an address keeps it',
        'and ${users.emailProvedAt} <= ${provedAt}`);',
        'and 0`);',
      ],
      [
        'who proved an address earlier takes it',
        'and other.email_proved_at > ${provedAt})`',
        'and ${provedAt} < 0)`',
      ],
      ['an old token brings back an old address', 'sql`${users.emailProvedAt} <= ${token.provedAt}`, ', ''],
      [
        'who proved an address earlier signs up with it',
        '<= provedAt ? email : null',
        '<= provedAt ? email : email',
      ],
    ],
  ),
];
