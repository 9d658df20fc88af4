/**
 * The life of an account as a table: each mover and the transitions it may make. ../users/users.ts checks that the
 * mover outranks the account and that an administrator remains. Tested in user-states.test.ts.
 */

export const userTypes = ['human', 'service'] as const
export type UserType = (typeof userTypes)[number]

export const userStatuses = ['invited', 'active', 'suspended', 'locked', 'deactivated', 'erased'] as const
export type UserStatus = (typeof userStatuses)[number]

/** Sources that manage an account's profile. */
export const managers = ['local', 'scim', 'sso'] as const

/** `self` accepts an invitation or proves more than a guess could, `guard` locks after failed sign-ins, `clock` ends what has run out or is not used. */
/** `directory` provisions. */
export type Mover = 'administrator' | 'self' | 'guard' | 'clock' | 'directory'

type Moves = Readonly<Record<UserStatus, Readonly<Partial<Record<UserStatus, readonly Mover[]>>>>>

export const userMoves: Moves = {
  invited: { active: ['self'], deactivated: ['administrator', 'clock', 'directory'] },
  active: {
    suspended: ['administrator', 'clock'],
    locked: ['guard'],
    deactivated: ['administrator', 'clock', 'directory'],
  },
  suspended: { active: ['administrator'], deactivated: ['administrator', 'clock', 'directory'] },
  locked: { active: ['administrator', 'self'], deactivated: ['administrator', 'clock', 'directory'] },
  // Only accounts that were never joined go back to `invited`; ../users/reinvitation.ts checks this.
  deactivated: { active: ['administrator', 'directory'], invited: ['administrator'], erased: ['administrator'] },
  erased: {},
}

export function canMove(from: UserStatus, to: UserStatus, mover: Mover): boolean {
  return userMoves[from][to]?.includes(mover) ?? false
}
