import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createCutoffs, type Revocable, type Revocation } from './cutoffs.ts'

const sid = (number: number) => `018f3c2e-7a51-7cc4-9d1e-${number.toString(16).padStart(12, '0')}`
const session = (number: number, facts: Partial<Revocable> = {}): Revocable => ({
  sub: 'user-1',
  tid: 'tenant-1',
  sid: sid(number),
  keyId: null,
  ...facts,
})
const record = (facts: Partial<Revocation>): Revocation => ({
  scope: 'user',
  subject: 'user-1',
  cutoffSid: sid(10),
  at: 1,
  ...facts,
})

test('a cut-off ends the sessions up to it and no later one', () => {
  for (const [scope, subject] of [
    ['user', 'user-1'],
    ['tenant', 'tenant-1'],
    ['platform', 'any'],
  ] as const) {
    const cutoffs = createCutoffs()
    cutoffs.add(record({ scope, subject }))
    expect([9, 10, 11].map((number) => cutoffs.covers(session(number)))).toEqual([true, true, false])
  }
})

test('a session or a key ends by its id alone', () => {
  const cutoffs = createCutoffs()
  cutoffs.add(record({ scope: 'session', subject: sid(20) }))
  cutoffs.add(record({ scope: 'key', subject: 'key-1' }))
  expect(cutoffs.covers(session(20))).toBe(true)
  expect(cutoffs.covers(session(5))).toBe(false)
  expect(cutoffs.covers(session(5, { sid: null, keyId: 'key-1' }))).toBe(true)
  expect(cutoffs.covers(session(5, { sid: null, keyId: 'key-2' }))).toBe(false)
})

test('others are not touched', () => {
  const cutoffs = createCutoffs()
  cutoffs.add(record({}))
  cutoffs.add(record({ scope: 'tenant', subject: 'tenant-1' }))
  expect(cutoffs.covers(session(1, { sub: 'user-2', tid: 'tenant-2' }))).toBe(false)
  // The id of one scope means nothing in another.
  expect(cutoffs.covers(session(1, { sub: 'tenant-1', tid: 'user-1' }))).toBe(false)
})

const anyRecord = fc.record({
  scope: fc.constantFrom('session' as const, 'user' as const, 'tenant' as const, 'platform' as const),
  which: fc.nat(2),
  cutoff: fc.nat(30),
  at: fc.nat(1_000),
})
const anySession = fc.record({ user: fc.nat(2), tenant: fc.nat(2), number: fc.nat(30) })

test('C03 in any order and with repetitions, a session is dead exactly if any record covers it', () => {
  fc.assert(
    fc.property(
      fc
        .array(anyRecord, { maxLength: 12 })
        .chain((records) =>
          fc.tuple(
            fc.constant(records),
            fc.shuffledSubarray([...records, ...records], { minLength: records.length * 2 }),
          ),
        ),
      fc.array(anySession, { minLength: 1, maxLength: 10 }),
      ([records, arrivals], sessions) => {
        const cutoffs = createCutoffs()
        for (const { scope, which, cutoff, at } of arrivals) {
          const subject = scope === 'session' ? sid(cutoff) : `${scope}-${which}`
          cutoffs.add({ scope, subject, cutoffSid: sid(cutoff), at })
        }
        for (const { user, tenant, number } of sessions) {
          const dead = records.some(
            ({ scope, which, cutoff }) =>
              (scope === 'session' && cutoff === number) ||
              (number <= cutoff &&
                (scope === 'platform' ||
                  (scope === 'user' && which === user) ||
                  (scope === 'tenant' && which === tenant))),
          )
          expect(cutoffs.covers(session(number, { sub: `user-${user}`, tid: `tenant-${tenant}` }))).toBe(dead)
        }
      },
    ),
    { numRuns: 1_000 },
  )
})

test('records are forgotten when every token of before has ended, a renewed one later', () => {
  const cutoffs = createCutoffs()
  cutoffs.add(record({ at: 100 }))
  cutoffs.add(record({ at: 200, cutoffSid: sid(5) }))
  cutoffs.add(record({ scope: 'session', subject: sid(1), at: 100 }))
  cutoffs.forgetBefore(150)
  expect(cutoffs.size).toBe(1)
  expect(cutoffs.covers(session(10))).toBe(true)
  cutoffs.forgetBefore(201)
  expect(cutoffs.size).toBe(0)
})
