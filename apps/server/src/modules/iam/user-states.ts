/**
 * The life of an account as a table: who may move it from where to where. Whether the mover outranks the account, and
 * whether an administrator remains, is checked by users.ts. Tested in user-states.test.ts.
 */

export const userTypes = ['human', 'service'] as const
export type UserType = (typeof userTypes)[number]

export const userStatuses = ['invited', 'active', 'suspended', 'locked', 'deactivated'] as const
export type UserStatus = (typeof userStatuses)[number]

/** `self` accepts an invitation, `guard` locks after failed sign-ins, `clock` ends what has run out. */
export type Mover = 'administrator' | 'self' | 'guard' | 'clock'

type Moves = Readonly<Record<UserStatus, Readonly<Partial<Record<UserStatus, readonly Mover[]>>>>>

export const userMoves: Moves = {
  invited: { active: ['self'], deactivated: ['administrator', 'clock'] },
  active: { suspended: ['administrator'], locked: ['guard'], deactivated: ['administrator', 'clock'] },
  suspended: { active: ['administrator'], deactivated: ['administrator', 'clock'] },
  locked: { active: ['administrator'], deactivated: ['administrator', 'clock'] },
  // Back to `invited` goes only who never joined; reinvitation.ts sees to that.
  deactivated: { active: ['administrator'], invited: ['administrator'] },
}

export function canMove(from: UserStatus, to: UserStatus, mover: Mover): boolean {
  return userMoves[from][to]?.includes(mover) ?? false
}
