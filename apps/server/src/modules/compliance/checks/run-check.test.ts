import { describe, expect, test } from 'vitest'
import { catalogOfKey } from '../catalogs/catalogs.ts'
import { defineCheck } from './define.ts'
import { checkOf, checks, supportsOf, triggeredBy } from './registry.ts'
import { type ReadFact, runCheck, runDocument, sampleOf } from './run-check.ts'

const at = '2026-11-27T12:00:00.000Z'
/** Longer ago than every limit. */
const long = '2020-01-01T00:00:00.000Z'
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

const alerts = (counts: Record<string, number>, open = 0) => ({
  ...{ open_critical: 0, open_high: 0, open_medium: 0, open_low: 0, open_info: 0, open_breached: 0 },
  ...{ closed_30d: 0, closed_in_sla_30d: 0 },
  open: Array.from({ length: open }, (_, index) => ({
    id: `alert-${index}`,
    breached: index < (counts.open_breached ?? 0),
  })),
  ...counts,
})
const agent = (rest: object) => ({
  ...{ id: 'a', status: 'active', owner_user_id: 'u', has_drift: false, review_overdue: false },
  ...rest,
})
const agents = (all: object[]) => ({ total: all.length, active: all.length, agents: all })
const of = (...items: object[]) => ({ total: items.length, recount: items.length, items })
const person = (rest: object) => ({
  ...{ id: 'p', second_factor: true, passkey: true, administers: false, emergency: false, last_used_at: at },
  ...rest,
})
const controlled = (rest: object) => ({
  ...{ id: 'a', risk_tier: 3, owner_user_id: 'p', material_sha256: 'm', input_guarded: true, output_guarded: true },
  ...{ irreversible: 1, unapproved: [], ...rest },
})
const classified = (sha256: string | null) => ({ classifications: [{ agent_id: 'a', agent_sha256: sha256 }] })
const provider = (rest: object) => ({
  ...{ name: 'p', status: 'enabled', offline: false, residency: ['EU'], max_classification: 'internal' },
  terms: { training_opt_out: true, retention_days: 0, reviewed_at: at },
  ...rest,
})
const providers = (...all: object[]) => ({ total: all.length, providers: all })
const policies = (...all: object[]) => ({ total: all.length, policies: all })
const log = (rest: object) => ({ calls: 3, counted: 3, audited: 3, unlogged: 0, intact: true, ...rest })
const use = (rest: object) => ({ id: 'k', scope: 'model', instances: 2, enforced: 2, slowest_ms: 40, ...rest })
const budget = (scope: object[], kind = 'hard') => ({ id: 'b', name: 'b', kind, scope })
const risk = (rest: object) => ({
  ...{ id: 'r', rating: 'low', reviewed_at: at, has_owner: true, has_treatment: false, quantified_at: at },
  ...rest,
})
const restore = (rest: object) => ({ id: 'x', service: 's', objective: 'rto', minutes: 5, target_minutes: 10, ...rest })
const jewels = { crown_jewels: [{ id: 'j' }] }
const analysis = (rest: object) => ({
  analysis: { finished_at: at, targets: [{ target_id: 'j' }], toxic: [], ...rest },
})
const workflow = (rest: object) => ({ key: 'w', channels: ['aegis.alert.created'], completed_at: at, ...rest })
const review = (rest: object) => ({ id: 'v', status: 'closed', due_at: at, closed_at: at, undecided: 0, ...rest })
const leaver = (rest: object) => ({ id: 'l', left_at: long, disabled: true, live_sessions: 0, live_keys: 0, ...rest })
const schedule = (rest: object) => ({ id: 's', past: 0, held: 0, next_run_at: at, ...rest })
const flow = (rest: object) => ({ id: 'f', level: 'internal', provider: 'p', model: 'm', ...rest })

describe('a check', () => {
  test.each<[string, Record<string, unknown>[], string, number]>([
    ['iam.mfa_enforced', [of(person({}), person({}))], 'pass', 0],
    ['iam.mfa_enforced', [of(person({}), person({ second_factor: false }))], 'fail', 1],
    ['iam.mfa_enforced', [{ ...of(person({ second_factor: false })), recount: 2 }], 'error', 1],
    ['iam.mfa_enforced', [of()], 'not_evaluated', 0],
    ['iam.mfa_enforced', [{}], 'error', 0],
    ['gateway.injection_blocking', [policies(policy({}))], 'pass', 0],
    ['gateway.injection_blocking', [policies(policy({ injection_user: 'flag' }))], 'fail', 1],
    ['gateway.injection_blocking', [policies(policy({}, 'monitor'))], 'fail', 1],
    ['gateway.injection_blocking', [policies()], 'not_evaluated', 0],
    ['gateway.injection_blocking', [{ ...policies(policy({})), total: 2 }], 'error', 0],
    ['gateway.pii_redaction', [policies(policy({ sensitive_data: 'off' }))], 'fail', 1],
    ['gateway.output_filter', [policies(policy({ output_secrets: 'flag' }))], 'fail', 1],
    ['gateway.fail_closed', [policies(policy({ fail_open: ['injection'] }))], 'fail', 1],
    ['admin.backup_verified', [{ newest_verified_seconds: 3600 }], 'pass', 0],
    ['admin.backup_verified', [{ newest_verified_seconds: null }], 'fail', 1],
    [
      'admin.audit_intact',
      [{ sealed: 5, pending: 0, verified: true, verified_at: at, checkpoint_at: at, reason: null }],
      'pass',
      0,
    ],
    ['admin.audit_intact', [{ sealed: 5, pending: 0, verified: false, verified_at: at, checkpoint_at: at }], 'fail', 1],
    [
      'aegis.alert_sla',
      [alerts({ closed_30d: 95, closed_in_sla_30d: 92, open_high: 5, open_breached: 1 }, 5)],
      'pass',
      4,
    ],
    [
      'aegis.alert_sla',
      [alerts({ closed_30d: 95, closed_in_sla_30d: 90, open_high: 5, open_breached: 1 }, 5)],
      'fail',
      6,
    ],
    ['aegis.alert_sla', [alerts({})], 'not_evaluated', 0],
    ['aegis.agents_owned', [of(controlled({})), of(person({}))], 'pass', 0],
    ['aegis.agents_owned', [of(controlled({ owner_user_id: 'gone' })), of(person({}))], 'fail', 1],
    ['aegis.agents_owned', [{ ...of(controlled({})), recount: 2 }, of(person({}))], 'error', 0],
    ['aegis.agents_reviewed', [agents([agent({ has_drift: true }), agent({})])], 'fail', 1],
    ['aegis.agents_classified', [of(controlled({})), { classifications: [] }], 'fail', 1],
    ['aegis.agents_classified', [of(controlled({})), classified('m')], 'pass', 0],
    ['aegis.agents_classified', [of(controlled({})), classified('before')], 'fail', 1],
    ['aegis.agents_classified', [of(controlled({})), classified(null)], 'fail', 1],
    ['iam.admins_phishing_resistant', [of(person({ administers: true }), person({ passkey: false }))], 'pass', 0],
    ['iam.admins_phishing_resistant', [of(person({ administers: true, passkey: false }))], 'fail', 1],
    ['iam.admins_phishing_resistant', [of(person({ administers: true, emergency: true }))], 'not_evaluated', 0],
    ['iam.dormant_users', [of(person({ last_used_at: long }))], 'fail', 1],
    ['iam.dormant_users', [of(person({}), person({ last_used_at: long, emergency: true }))], 'pass', 0],
    ['iam.admin_count', [of(person({ administers: true }), person({ administers: true }))], 'pass', 0],
    ['iam.admin_count', [of(person({ administers: true }), person({}))], 'fail', 1],
    ['iam.admin_count', [{ ...of(person({ administers: true })), recount: 9 }], 'error', 1],
    ['iam.leavers_disabled', [of(leaver({}))], 'pass', 0],
    ['iam.leavers_disabled', [of(leaver({ live_keys: 1 }))], 'fail', 1],
    ['iam.leavers_disabled', [of(leaver({ live_keys: 1, left_at: at }))], 'pass', 0],
    ['iam.leavers_disabled', [of(leaver({ disabled: false }))], 'fail', 1],
    ['iam.access_review_current', [of(review({}))], 'pass', 0],
    ['iam.access_review_current', [of()], 'fail', 1],
    ['iam.access_review_current', [of(review({ closed_at: long }))], 'fail', 1],
    [
      'iam.access_review_current',
      [of(review({}), review({ status: 'open', closed_at: null, due_at: long, undecided: 2 }))],
      ...(['fail', 1] as const),
    ],
    ['iam.sso_enforced', [of({ domain: 'a.example', enforced: true })], 'pass', 0],
    ['iam.sso_enforced', [of({ domain: 'a.example', enforced: false })], 'fail', 1],
    ['gateway.provider_terms', [providers(provider({}))], 'pass', 0],
    ['gateway.provider_terms', [providers(provider({ residency: [] }))], 'fail', 1],
    ['gateway.provider_terms', [providers(provider({ terms: { training_opt_out: null } }))], 'fail', 1],
    [
      'gateway.provider_terms',
      [providers(provider({ terms: { training_opt_out: true, retention_days: 0, reviewed_at: long } }))],
      ...(['fail', 1] as const),
    ],
    ['gateway.traffic_logged', [log({})], 'pass', 0],
    ['gateway.traffic_logged', [log({ audited: 2 })], 'fail', 1],
    ['gateway.traffic_logged', [log({ unlogged: 1 })], 'fail', 1],
    ['gateway.traffic_logged', [log({ intact: false })], 'fail', 1],
    ['gateway.traffic_logged', [log({ counted: 4 })], 'error', 0],
    ['gateway.traffic_logged', [log({ calls: 0, counted: 0, audited: 0 })], 'not_evaluated', 0],
    ['gateway.budgets', [of(controlled({})), of(budget([{ kind: 'tenant' }]))], 'pass', 0],
    ['gateway.budgets', [of(controlled({})), of(budget([{ kind: 'agent', value: 'a' }]))], 'pass', 0],
    ['gateway.budgets', [of(controlled({})), of(budget([{ kind: 'tenant' }], 'soft'))], 'fail', 1],
    [
      'gateway.budgets',
      [of(controlled({})), of(budget([{ kind: 'agent', value: 'a' }, { kind: 'model' }]))],
      'fail',
      1,
    ],
    ['gateway.kill_switch_drill', [of()], 'fail', 1],
    ['gateway.kill_switch_drill', [of(use({}))], 'pass', 0],
    ['gateway.kill_switch_drill', [of(use({ slowest_ms: 6_000 }))], 'fail', 1],
    ['gateway.kill_switch_drill', [of(use({ enforced: 1 }))], 'fail', 1],
    ['aegis.guardrails_bound', [of(controlled({}))], 'pass', 0],
    ['aegis.guardrails_bound', [of(controlled({ output_guarded: false }))], 'fail', 1],
    ['aegis.guardrails_bound', [of(controlled({ risk_tier: 1, output_guarded: false }))], 'not_evaluated', 0],
    ['aegis.human_approval', [of(controlled({}))], 'pass', 0],
    ['aegis.human_approval', [of(controlled({ unapproved: ['bank/pay'] }))], 'fail', 1],
    ['aegis.human_approval', [of(controlled({ irreversible: 0 }))], 'not_evaluated', 0],
    ['aegis.tools_pinned', [of({ tool: 'x/y', status: 'approved', pinned: true })], 'pass', 0],
    ['aegis.tools_pinned', [of({ tool: 'x/y', status: 'changed', pinned: false })], 'fail', 1],
    ['aegis.shadow_ai_triaged', [of({ id: 's', status: 'discovered', first_seen_at: at })], 'pass', 0],
    ['aegis.shadow_ai_triaged', [of({ id: 's', status: 'under_review', first_seen_at: long })], 'fail', 1],
    ['aegis.shadow_ai_triaged', [of({ id: 's', status: 'banned', first_seen_at: long })], 'pass', 0],
    ['risk.register_current', [of(risk({}))], 'pass', 0],
    ['risk.register_current', [of(risk({ reviewed_at: long }))], 'fail', 1],
    ['risk.register_current', [of(risk({ rating: 'high' }))], 'fail', 1],
    ['risk.top_quantified', [of(...Array.from({ length: 11 }, () => risk({})))], 'pass', 0],
    ['risk.top_quantified', [of(risk({ quantified_at: null }))], 'fail', 1],
    ['resilience.exercise', [of({ id: 'e', exercised_at: at })], 'pass', 0],
    ['resilience.exercise', [of({ id: 'e', exercised_at: null })], 'fail', 1],
    ['resilience.rto_rpo', [of(restore({}))], 'pass', 0],
    ['resilience.rto_rpo', [of(restore({ minutes: 11 }))], 'fail', 1],
    ['resilience.rto_rpo', [of(restore({ target_minutes: null }))], 'fail', 1],
    ['cybertwins.critical_paths', [jewels, analysis({})], 'pass', 0],
    ['cybertwins.critical_paths', [jewels, { analysis: null }], 'fail', 1],
    ['cybertwins.critical_paths', [jewels, analysis({ toxic: [{ asset_id: 't', rule: 'r' }] })], 'fail', 1],
    ['cybertwins.critical_paths', [{ crown_jewels: [] }, { analysis: null }], 'not_evaluated', 0],
    ['data_gov.assets_classified', [of({ id: 'd', confirmed: true })], 'pass', 0],
    ['data_gov.assets_classified', [of({ id: 'd', confirmed: false })], 'fail', 1],
    ['data_gov.retention_enforced', [of(schedule({ past: 5 }))], 'pass', 0],
    ['data_gov.retention_enforced', [of(schedule({ past: 5, next_run_at: long }))], 'fail', 1],
    ['data_gov.retention_enforced', [of(schedule({ held: 5, next_run_at: long }))], 'pass', 0],
    ['data_gov.requests_on_time', [of({ id: 'q', due_at: long, completed_at: null })], 'fail', 1],
    ['data_gov.requests_on_time', [of({ id: 'q', due_at: long, completed_at: long })], 'pass', 0],
    ['data_gov.flow_policy', [of(flow({})), providers(provider({}))], 'pass', 0],
    ['data_gov.flow_policy', [of(flow({ level: 'restricted' })), providers(provider({}))], 'fail', 1],
    ['data_gov.flow_policy', [of(flow({ level: null })), providers(provider({}))], 'pass', 0],
    ['svc_ai.grounding', [of({ id: 'w', status: 'answered' })], 'pass', 0],
    ['svc_ai.grounding', [of({ id: 'w', status: 'partial' })], 'fail', 1],
    ['platform.incident_workflow', [of(workflow({}))], 'pass', 0],
    ['platform.incident_workflow', [of(workflow({ completed_at: long }))], 'fail', 1],
    ['platform.incident_workflow', [of(workflow({ channels: ['risk.score.changed'] }))], 'fail', 1],
    ['admin.keys_rotated', [{ max_days: 365, ...of({ version: 1, created_at: at, current: true }) }], 'pass', 0],
    ['admin.keys_rotated', [{ max_days: 365, ...of({ version: 1, created_at: long, current: true }) }], 'fail', 1],
    ['admin.keys_rotated', [{ max_days: null, ...of({ version: 1, created_at: at, current: true }) }], 'fail', 1],
    ['admin.tls', [of({ id: 't', expires_at: '2027-06-01T00:00:00.000Z' })], 'pass', 0],
    ['admin.tls', [of({ id: 't', expires_at: at })], 'fail', 1],
    ['compliance.evidence_current', [{ linked: 2, linked_recount: 2, expired: 0 }], 'pass', 0],
    ['compliance.evidence_current', [{ linked: 2, linked_recount: 3, expired: 0 }], 'error', 0],
  ])('%s of %j is %s', (id, data, outcome, failed) => {
    expect(outcomeOf(id, ...data)).toMatchObject({ outcome, failed })
  })

  test('whose fact nobody publishes is not evaluated, and one that could not be read is an error', () => {
    const check = checkOf('iam.mfa_enforced')
    if (check === null) throw new Error('no check')
    const unread = { fact: 'iam.people', query: {}, reading: null }
    expect(runCheck(check, [{ ...unread, failure: null }], snapshot).outcome).toBe('not_evaluated')
    expect(runCheck(check, [{ ...unread, failure: 'timeout' }], snapshot).outcome).toBe('error')
  })

  test('that was told of a part of its population does not pass', () => {
    expect(outcomeOf('iam.mfa_enforced', { total: 3, recount: 3, items: [] })).toMatchObject({ outcome: 'error' })
  })
})

test('the document names what was read by its digest, and its sample is the same for the same seed', () => {
  const check = checkOf('gateway.injection_blocking')
  if (check === null) throw new Error('no check')
  const facts = [read('gateway.policies', policies(policy({})))]
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
  expect(supportsOf('owasp-llm-2025', 'LLM01:2025').map(({ check, part }) => [check.id, part])).toEqual([
    ['gateway.injection_blocking', false],
    ['aegis.guardrails_bound', true],
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
