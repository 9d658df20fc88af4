import fc from 'fast-check'
import { expect, test } from 'vitest'
import { argsDigest, type BoundCall, bindingDigest, callDigest } from './binding.ts'
import { previewOf } from './preview.ts'
import { approvalsNeeded } from './request.ts'
import { longestPreview } from './schema.ts'
import { approvalStatuses, mayMove } from './states.ts'

const call: BoundCall = {
  ...{
    tenantId: 't',
    agentId: 'a',
    userId: 'u',
    server: 'bank',
    tool: 'wire',
    argsSha256: argsDigest({ to: 'x', sum: 5 }),
  },
  guardrails: [
    { guardrailId: 'g1', version: 1 },
    { guardrailId: 'g2', version: 3 },
  ],
  pinSha256: 'p',
}
const at = '2026-11-27T20:00:00.000Z'

test('the digest does not depend on the order of members, of guardrails, or on the spelling of the time', () => {
  expect(argsDigest({ sum: 5, to: 'x' })).toBe(call.argsSha256)
  const other = { ...call, guardrails: [...call.guardrails].reverse() }
  expect(bindingDigest(other, '2026-11-27T20:00:00Z')).toBe(bindingDigest(call, at))
  expect(callDigest(other)).toBe(callDigest(call))
})

test.each<[string, Partial<BoundCall>]>([
  ['the tenant', { tenantId: 't2' }],
  ['the agent', { agentId: 'a2' }],
  ['the user', { userId: null }],
  ['the server', { server: 'bank2' }],
  ['the tool', { tool: 'wire2' }],
  ['one byte of the arguments', { argsSha256: argsDigest({ to: 'y', sum: 5 }) }],
  ['the version of a guardrail', { guardrails: [{ guardrailId: 'g1', version: 2 }] }],
  ['the pinned definition', { pinSha256: 'q' }],
])('a change of %s gives another digest', (_name, change) => {
  expect(bindingDigest({ ...call, ...change }, at)).not.toBe(bindingDigest(call, at))
  expect(callDigest({ ...call, ...change })).not.toBe(callDigest(call))
})

test('the time until which people may decide is bound, and is no part of what a repetition is found by', () => {
  expect(bindingDigest(call, '2026-11-27T20:00:01.000Z')).not.toBe(bindingDigest(call, at))
})

test('different arguments have different digests', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
      const isSame = JSON.stringify(one) === JSON.stringify(other)
      if (isSame) expect(argsDigest(one)).toBe(argsDigest(other))
      else if (argsDigest(one) === argsDigest(other)) expect(one).toEqual(other)
    }),
  )
})

test('the preview has neither personal data nor secrets, and a bounded length', () => {
  const key = ['sk_', 'live_', '51H8xQ2eZvKYlo2C', '9bTn0aWq'].join('')
  const { text, sha256 } = previewOf({ to: 'anna.smith@example.com', note: `use ${key}`, sum: 5 })
  expect(text).not.toContain('anna.smith@example.com')
  expect(text).not.toContain(key)
  expect(text).toContain('"sum": 5')
  expect(sha256).toMatch(/^[0-9a-f]{64}$/)
  expect(previewOf({ note: 'word '.repeat(10_000) }).text.length).toBe(longestPreview)
})

test('two people decide about tier 4 and what cannot be undone, and never more than three', () => {
  const plain = { minApprovers: 1, riskTier: 3, destructive: false }
  expect(approvalsNeeded(plain)).toBe(1)
  expect(approvalsNeeded({ ...plain, riskTier: 4 })).toBe(2)
  expect(approvalsNeeded({ ...plain, destructive: true })).toBe(2)
  expect(approvalsNeeded({ ...plain, minApprovers: 3, riskTier: 4 })).toBe(3)
})

test('what is settled stays settled', () => {
  for (const from of ['denied', 'expired', 'cancelled', 'consumed'] as const)
    for (const to of approvalStatuses) expect(mayMove(from, to)).toBe(false)
  expect([mayMove('pending', 'consumed'), mayMove('approved', 'consumed'), mayMove('approved', 'denied')]).toEqual([
    ...[false, true, false],
  ])
})
