import fc from 'fast-check'
import { expect, test } from 'vitest'
import { canMove, type Mover, type UserStatus, userMoves, userStatuses } from './user-states.ts'

const movers: readonly Mover[] = ['administrator', 'self', 'guard', 'clock', 'directory']
const step = fc.record({ to: fc.constantFrom(...userStatuses), mover: fc.constantFrom(...movers) })

/** The sentences of the account's life, written apart from the table. */
const allowed: readonly string[] = [
  'invited>active by self',
  'invited>deactivated by administrator',
  'invited>deactivated by clock',
  'invited>deactivated by directory',
  'active>suspended by administrator',
  'active>suspended by clock',
  'active>locked by guard',
  'active>deactivated by administrator',
  'active>deactivated by clock',
  'active>deactivated by directory',
  'suspended>active by administrator',
  'suspended>deactivated by administrator',
  'suspended>deactivated by clock',
  'suspended>deactivated by directory',
  'locked>active by administrator',
  'locked>active by self',
  'locked>deactivated by administrator',
  'locked>deactivated by clock',
  'locked>deactivated by directory',
  'deactivated>active by administrator',
  'deactivated>active by directory',
  'deactivated>invited by administrator',
  'deactivated>erased by administrator',
]

test('exactly the listed moves are allowed', () => {
  const moves = userStatuses.flatMap((from) =>
    userStatuses.flatMap((to) =>
      movers.filter((mover) => canMove(from, to, mover)).map((mover) => `${from}>${to} by ${mover}`),
    ),
  )
  expect(new Set(moves)).toEqual(new Set(allowed))
})

test('only an administrator brings an account back to invited, and only from deactivated', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      let status: UserStatus = 'invited'
      for (const { to, mover } of steps) {
        if (!canMove(status, to, mover)) continue
        if (to === 'invited') expect([status, mover]).toEqual(['deactivated', 'administrator'])
        status = to
      }
    }),
    { numRuns: 2000 },
  )
})

test('only an administrator lifts a suspension, and a directory brings back only what is deactivated', () => {
  expect(userMoves.suspended.active).toEqual(['administrator'])
  expect(new Set(userMoves.deactivated.active)).toEqual(new Set(['administrator', 'directory']))
  expect(new Set(userMoves.locked.active)).toEqual(new Set(['administrator', 'self']))
})
