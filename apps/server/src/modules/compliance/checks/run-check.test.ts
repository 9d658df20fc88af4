import { describe, expect, test } from 'vitest'
import { catalogOfKey } from '../catalogs/catalogs.ts'
import { defineCheck } from './define.ts'
import { checkOf, checks, supportsOf, triggeredBy } from './registry.ts'
import { type ReadFact, runCheck, runDocument, sampleOf } from './run-check.ts'

const at = '2026-11-27T12:00:00.000Z'
const snapshot = { at, id: '1:1:' }
const read = (fact: string, data: Record<string, unknown>): ReadFact => ({
  ...{ fact, query: {}, failure: null },
  reading: { owner: 'iam', at, data },
})

function outcomeOf(id: string, ...data: Record<string, unknown>[]) {
  const check = checkOf(id)
  if (check === null) throw new Error(`no check ${id}`)
  const facts = check.reads.map(({ fact }, index) => read(fact, data[index] ?? {}))
  const { outcome, population, failed, reason } = runCheck(check, facts, snapshot)
  return { outcome, population, failed, reason }
}

const policy = (protection: object, mode = 'enforce') => ({
  ...{ name: 'baseline', version: 3, mode },
  protection: {
    ...{ injection_user: 'block', sensitive_data: 'redact', output_secrets: 'redact', fail_open: [] },
    ...protection,
  },
})

const alerts = (counts: Record<string, number>) => ({
  ...{ open_critical: 0, open_high: 0, open_medium: 0, open_low: 0, open_info: 0, open_breached: 0 },
  ...{ closed_30d: 0, closed_in_sla_30d: 0, open: [] },
  ...counts,
})
const agent = (rest: object) => ({
  ...{ id: 'a', status: 'active', owner_user_id: 'u', has_drift: false, review_overdue: false },
  ...rest,
})
const agents = (all: object[]) => ({ total: all.length, active: all.length, agents: all })

const server = (rest: object) => ({ slug: 's', status: 'active', default_action: 'deny', undecided: 0, ...rest })
const servers = (all: object[]) => ({ total: all.length, active: all.length, servers: all })

describe('a check', () => {
  test.each<[string, Record<string, unknown>[], string, number]>([
    ['iam.mfa_enforced', [{ people: 3, with_factor: 3, without: 0 }], 'pass', 0],
    ['iam.mfa_enforced', [{ people: 3, with_factor: 2, without: 1 }], 'fail', 1],
    ['iam.mfa_enforced', [{ people: 4, with_factor: 2, without: 1 }], 'error', 1],
    ['iam.mfa_enforced', [{ people: 0, with_factor: 0, without: 0 }], 'not_evaluated', 0],
    ['iam.mfa_enforced', [{}], 'error', 0],
    ['gateway.injection_blocking', [{ policies: [policy({})] }], 'pass', 0],
    ['gateway.injection_blocking', [{ policies: [policy({ injection_user: 'flag' })] }], 'fail', 1],
    ['gateway.injection_blocking', [{ policies: [policy({}, 'monitor')] }], 'fail', 1],
    ['gateway.injection_blocking', [{ policies: [] }], 'not_evaluated', 0],
    ['gateway.pii_redaction', [{ policies: [policy({ sensitive_data: 'off' })] }], 'fail', 1],
    ['gateway.output_filter', [{ policies: [policy({ output_secrets: 'flag' })] }], 'fail', 1],
    ['gateway.fail_closed', [{ policies: [policy({ fail_open: ['injection'] })] }], 'fail', 1],
    ['admin.backup_verified', [{ newest_verified_seconds: 3600 }], 'pass', 0],
    ['admin.backup_verified', [{ newest_verified_seconds: null }], 'fail', 1],
    [
      'admin.audit_intact',
      [{ sealed: 5, pending: 0, verified: true, verified_at: at, checkpoint_at: at, reason: null }],
      'pass',
      0,
    ],
    ['admin.audit_intact', [{ sealed: 5, pending: 0, verified: false, verified_at: at, checkpoint_at: at }], 'fail', 1],
    ['aegis.alert_sla', [alerts({ closed_30d: 95, closed_in_sla_30d: 92, open_high: 5, open_breached: 1 })], 'pass', 4],
    ['aegis.alert_sla', [alerts({ closed_30d: 95, closed_in_sla_30d: 90, open_high: 5, open_breached: 1 })], 'fail', 6],
    [
      'aegis.alert_sla',
      [{ ...alerts({ open_low: 1, open_breached: 1 }), open: [{ id: 'x', breached: true }] }],
      'fail',
      1,
    ],
    ['aegis.alert_sla', [alerts({})], 'not_evaluated', 0],
    ['aegis.agents_owned', [agents([agent({})])], 'pass', 0],
    ['aegis.agents_owned', [agents([agent({ owner_user_id: null })])], 'fail', 1],
    ['aegis.agents_owned', [{ ...agents([agent({})]), active: 2 }], 'error', 0],
    ['aegis.agents_reviewed', [agents([agent({ has_drift: true }), agent({})])], 'fail', 1],
    ['aegis.agents_guarded', [{ agents: 2, agents_covered: 2 }], 'pass', 0],
    ['aegis.agents_guarded', [{ agents: 3, agents_covered: 2 }], 'fail', 1],
    ['aegis.agents_guarded', [{ agents: 0, agents_covered: 0 }], 'not_evaluated', 0],
    ['aegis.mcp_tools_pinned', [servers([server({})])], 'pass', 0],
    ['aegis.mcp_tools_pinned', [servers([server({ undecided: 1 }), server({})])], 'fail', 1],
    ['aegis.mcp_tools_pinned', [servers([server({ default_action: 'allow' })])], 'fail', 1],
    ['aegis.mcp_tools_pinned', [{ ...servers([server({})]), active: 2 }], 'error', 0],
    ['aegis.agents_classified', [agents([agent({})]), { classifications: [] }], 'fail', 1],
    ['aegis.agents_classified', [agents([agent({})]), { classifications: [{ agent_id: 'a' }] }], 'pass', 0],
  ])('%s of %j is %s', (id, data, outcome, failed) => {
    expect(outcomeOf(id, ...data)).toMatchObject({ outcome, failed })
  })

  test('whose fact nobody publishes is not evaluated, and one that could not be read is an error', () => {
    const check = checkOf('iam.mfa_enforced')
    if (check === null) throw new Error('no check')
    const unread = { fact: 'iam.second_factors', query: {}, reading: null }
    expect(runCheck(check, [{ ...unread, failure: null }], snapshot).outcome).toBe('not_evaluated')
    expect(runCheck(check, [{ ...unread, failure: 'timeout' }], snapshot).outcome).toBe('error')
  })

  test('that was told of a part of its population does not pass', () => {
    expect(outcomeOf('iam.admins_phishing_resistant', { total: 3, accounts: [] })).toMatchObject({ outcome: 'error' })
  })
})

test('the document names what was read by its digest, and its sample is the same for the same seed', () => {
  const check = checkOf('gateway.injection_blocking')
  if (check === null) throw new Error('no check')
  const facts = [read('gateway.policies', { policies: [policy({})] })]
  const context = { tenantId: 't', snapshot, platformVersion: '1', cause: null, seed: 's' }
  const document = runDocument(check, facts, runCheck(check, facts, snapshot), context)
  expect(document).toMatchObject({
    outcome: 'pass',
    population: 1,
    reads: [{ sha256: expect.stringMatching(/^[0-9a-f]{64}$/) }],
  })
  const ids = Array.from({ length: 100 }, (_, index) => `id ${index}`)
  expect(sampleOf(ids, 'a', 25)).toEqual(sampleOf([...ids].reverse(), 'a', 25))
  expect(sampleOf(ids, 'a', 25)).not.toEqual(sampleOf(ids, 'b', 25))
})

test('every claim names a control of a catalog, and every id is there once', () => {
  const broken = checks.flatMap(({ id, claims }) =>
    claims.flatMap(({ framework, ref }) =>
      catalogOfKey(framework)?.groups.some((group) => group.controls.some((control) => control.ref === ref)) === true
        ? []
        : [`${id}: ${framework} ${ref}`],
    ),
  )
  expect(broken).toEqual([])
  expect(new Set(checks.map(({ id }) => id)).size).toBe(checks.length)
  expect(supportsOf('owasp-llm-2025', 'LLM01:2025').map(({ check }) => check.id)).toEqual([
    'gateway.injection_blocking',
  ])
  expect(() => defineCheck({ ...checks[0], claims: ['nonsense'] } as never)).toThrow('has the claim')
})

test('the evidence about alerts names the open ones', () => {
  const open = [
    { id: 'late', breached: true },
    { id: 'in time', breached: false },
  ]
  const check = checkOf('aegis.alert_sla')
  if (check === null) throw new Error('no check')
  const facts = [read('aegis.alerts', { ...alerts({ open_high: 2, open_breached: 1, closed_30d: 1 }), open })]
  const { ids, failing } = runCheck(check, facts, snapshot)
  expect([...ids].toSorted()).toEqual(['alert 1', 'in time', 'late'])
  expect(failing.map(({ id }) => id).toSorted()).toEqual(['alert 1', 'late'])
})

test('a blocked request runs the checks of the closed loop', () => {
  expect(triggeredBy('gateway.request.blocked').map(({ id }) => id)).toEqual([
    'gateway.injection_blocking',
    'aegis.alert_sla',
  ])
  expect(triggeredBy('gateway.policy.published').length).toBeGreaterThan(3)
})
