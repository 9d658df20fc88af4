import fc from 'fast-check'
import { expect, test } from 'vitest'
import { canMove, type Mover, type UserStatus, userMoves, userStatuses } from './user-states.ts'

const movers: readonly Mover[] = ['administrator', 'self', 'guard', 'clock']
const step = fc.record({ to: fc.constantFrom(...userStatuses), mover: fc.constantFrom(...movers) })

/** The sentences of the account's life, written apart from the table. */
const allowed: readonly string[] = [
  'invited>active by self',
  'invited>deactivated by administrator',
  'invited>deactivated by clock',
  'active>suspended by administrator',
  'active>locked by guard',
  'active>deactivated by administrator',
  'active>deactivated by clock',
  'suspended>active by administrator',
  'suspended>deactivated by administrator',
  'suspended>deactivated by clock',
  'locked>active by administrator',
  'locked>deactivated by administrator',
  'locked>deactivated by clock',
  'deactivated>active by administrator',
  'deactivated>invited by administrator',
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

test('only an administrator brings an account back once it has left active', () => {
  const back = userStatuses.filter((from) => from !== 'invited').flatMap((from) => userMoves[from].active ?? [])
  expect(new Set(back)).toEqual(new Set(['administrator']))
})
