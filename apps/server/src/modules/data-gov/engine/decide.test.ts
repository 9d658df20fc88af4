import { describe, expect, test } from 'vitest'
import { bases, consentStates } from '../declared/consent-schema.ts'
import { decide, type PurposeState, type SubjectState } from './decide.ts'

const at = 1_000_000
const record = (over: Partial<PurposeState> = {}): PurposeState => ({
  ...{ recordId: 'r', eventId: 'e', state: 'given', basis: 'consent', categories: [], recipients: [] },
  ...{ validUntil: null, occurredAt: 500_000, outdated: false, saleOrSharing: false },
  ...over,
})
const person = (one: PurposeState | null, over: Partial<SubjectState> = {}): SubjectState => ({
  ...{ id: 's', status: 'active', gpcAt: null, purposes: new Map(one === null ? [] : [['ads', one]]) },
  ...over,
})
const ruleOf = (subject: SubjectState | null, more: object = {}) =>
  decide({ subject, purpose: 'ads', at, ...more }).rule

/** The same as a table of conditions, written apart from the function. */
function expected(
  one: PurposeState | null,
  status: SubjectState['status'],
  gpcAt: number | null,
  gpc: boolean,
): boolean {
  if (status !== 'active' || one === null) return false
  if (['withdrawn', 'objected', 'expired', 'invalidated'].includes(one.state)) return false
  if (one.validUntil !== null && one.validUntil <= at) return false
  if (one.saleOrSharing && (gpc || (gpcAt !== null && gpcAt >= one.occurredAt))) return false
  if (one.recipients.length > 0 && !one.recipients.includes('openai')) return false
  return one.basis !== 'consent' || (one.state === 'given' && !one.outdated)
}

describe('the decision about a purpose', () => {
  test('is that of the truth table, over all combinations', () => {
    let cases = 0
    for (const status of ['active', 'restricted', 'erased'] as const)
      for (const basis of bases)
        for (const state of consentStates)
          for (const validUntil of [null, at, at + 1])
            for (const outdated of [false, true])
              for (const saleOrSharing of [false, true])
                for (const gpcAt of [null, 400_000, 500_000])
                  for (const gpc of [false, true])
                    for (const recipients of [[], ['openai'], ['other']]) {
                      const one = record({ basis, state, validUntil, outdated, saleOrSharing, recipients })
                      const subject = person(one, { status, gpcAt })
                      const decision = decide({ subject, purpose: 'ads', recipient: 'openai', gpc, at })
                      cases += 1
                      if (decision.allow !== expected(one, status, gpcAt, gpc))
                        throw new Error(JSON.stringify({ one, status, gpcAt, gpc, decision }))
                    }
    expect(cases).toBe(3 * 6 * 7 * 3 * 2 * 2 * 3 * 2 * 3)
  })

  test('names the rule, and denies whatever nothing allows', () => {
    expect(ruleOf(null)).toBe('no_record')
    expect(ruleOf(person(null))).toBe('no_record')
    expect(ruleOf(person(record()))).toBe('consent')
    expect(ruleOf(person(record({ basis: 'contract' })))).toBe('basis')
    expect(ruleOf(person(record({ state: 'withdrawn' })))).toBe('withdrawn')
    expect(ruleOf(person(record({ outdated: true })))).toBe('notice_outdated')
    expect(ruleOf(person(record({ saleOrSharing: true })), { gpc: true })).toBe('privacy_control')
    expect(ruleOf(person(record({ categories: ['email'] })), { category: 'health' })).toBe('out_of_scope')
    expect(ruleOf(person(record(), { status: 'erased' }))).toBe('erased')
  })
})
