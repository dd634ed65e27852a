import { faultsIn } from './mutant.ts';

/** Who is let in: nobody without a yes of their own, and by an address only who proved it last. */
export const invitations = [
  ...faultsIn(
    'src/studies/invitations.ts',
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
        'as many invitations of one inviter as they like wait for an address',
        'and ${isBelow(countFromInviter(actor, email, now), limits.invitationsFromOne)}',
        '',
      ],
      [
        "strangers' invitations take the place of others",
        'invited_by = ${inviter} and email = ${email}',
        'email = ${email} and ${inviter} is not null',
      ],
      [
        'as many invitations as they like wait for a study',
        'if (ofStudy && ofStudy.count >= limits.invitations)',
        'if (ofStudy && ofStudy.count < 0)',
      ],
    ],
  ),
  ...faultsIn(
    'src/studies/invitation-acceptance.ts',
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
    'src/people/sign-ups.ts',
    ['test/routes/invitations.test.ts'],
    [
      [
        'signing up says yes for those who want to be asked',
        'return accept === false ? [] : invited;',
        'return invited;',
      ],
      [
        'signing up joins all studies that wait',
        'memberships === 0 && invited.length === 1 ? invited : []',
        'memberships === 0 ? invited : []',
      ],
      [
        'a stranger makes a member of another study one of theirs when the app signs up again',
        'memberships === 0 && invited.length === 1 ? invited : []',
        'invited.length === 1 ? invited : []',
      ],
    ],
  ),
  ...faultsIn(
    'src/people/sign-ups.ts',
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
