import { expect, test } from 'vitest'
import type { CatalogEntry } from '../catalog/schema.ts'
import { type RiskInput, riskScore } from './risk-score.ts'

const source_url = 'https://example.com/trust'
const fact = <T>(value: T) => ({ value, source_url })
const now = Date.parse('2026-11-27T00:00:00Z')
const nobody: RiskInput['exposure'] = { users: 0, bytesUp: 0, restrictedUsers: 0, evidence: ['http'] }

const worst: Pick<CatalogEntry, 'kind' | 'facts' | 'terms_url'> = {
  kind: 'consumer',
  terms_url: 'https://example.com/terms',
  facts: {
    ...{ trains_on_input_default: fact(true), gdpr_dpa: fact(false), retention_days: fact(365) },
    ...{ soc2: fact(false), iso27001: fact(false), sso: fact(false), file_upload: fact(true) },
    ...{ plugins_or_agents: fact(true), data_regions: fact(['CN']) },
    incidents: fact([{ at: '2026-01-01T00:00:00Z', title: 'Leak' }]),
  },
}
const best: typeof worst = {
  kind: 'business',
  terms_url: null,
  facts: {
    ...{ trains_on_input_default: fact(false), gdpr_dpa: fact(true), retention_days: fact(30), soc2: fact(true) },
    ...{ sso: fact(true), file_upload: fact(false), plugins_or_agents: fact(false), data_regions: fact(['DE']) },
    incidents: fact([{ at: '2023-01-01T00:00:00Z', title: 'Old' }]),
  },
}

const score = (entry: RiskInput['entry'], exposure = nobody, allowedRegions: string[] | null = ['EU']) =>
  riskScore({ entry, exposure, allowedRegions, now })

test('every adverse fact counts its weight, a favorable one nothing, an unknown one half', () => {
  expect(score(worst)).toMatchObject({ inherent: 100, exposure: 0, risk_score: 60 })
  expect(score(best)).toMatchObject({ inherent: 0, exposure: 0, risk_score: 0, risk_reasons: [] })
  // Retention that is not known counts whole: (100 − 10) / 2 + 10.
  expect(score(null).inherent).toBe(55)
  expect(score(null, nobody, null).inherent).toBe(51)
})

test('exposure is that of users, uploaded bytes and restricted departments', () => {
  const exposure = { users: 99, bytesUp: 99 * 1_048_576, restrictedUsers: 33, evidence: ['http' as const] }
  const { exposure: points, risk_score: risk } = score(best, exposure)
  // 25 × 2/3 + 45 × 2/4 + 30 × 1/3, each to a tenth.
  expect(points).toBe(16.7 + 22.5 + 10)
  expect(risk).toBe(19.7)
  const full = { users: 5_000, bytesUp: 1e12, restrictedUsers: 5_000, evidence: ['tls' as const] }
  expect(score(worst, full)).toMatchObject({ inherent: 100, exposure: 100, risk_score: 100 })
})

test('evidence of DNS alone caps exposure at 30 and says so', () => {
  const exposure = { users: 5_000, bytesUp: 0, restrictedUsers: 5_000, evidence: ['dns' as const] }
  const { exposure: points, risk_reasons: reasons } = score(best, exposure)
  expect(points).toBe(30)
  expect(reasons.every(({ fact: text }) => text.includes('DNS'))).toBe(true)
  expect(score(best, { ...exposure, evidence: ['dns', 'http'] }).exposure).toBe(55)
})

test('the numbers can be recomputed from the reasons', () => {
  const exposure = { users: 7, bytesUp: 123_456_789, restrictedUsers: 2, evidence: ['http' as const] }
  for (const entry of [worst, best, null]) {
    const { inherent, exposure: points, risk_score: risk, risk_reasons: reasons } = score(entry, exposure)
    const sum = (part: string) =>
      reasons.filter((reason) => reason.part === part).reduce((all, one) => all + one.points, 0)
    expect(sum('inherent')).toBeCloseTo(inherent, 6)
    expect(sum('exposure')).toBeCloseTo(points, 6)
    expect(0.6 * inherent + 0.4 * points).toBeCloseTo(risk, 1)
  }
  expect(score(worst).risk_reasons.filter(({ source_url: source }) => source === null)).toEqual([])
})
