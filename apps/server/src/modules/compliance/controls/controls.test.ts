import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectStatus, openWorld, type TestTenant, type World } from '../../../../test/support/world.ts'

let world: World
let tenant: TestTenant
beforeAll(async () => {
  world = await openWorld()
  tenant = await world.tenant('compliance-controls')
})
afterAll(() => world?.close())

const told = (answer: { status: number; body: { error_code?: string; errors?: { pointer?: string }[] } }) => [
  answer.status,
  answer.body.error_code,
  answer.body.errors?.[0]?.pointer,
]
async function controlOf(ref: string): Promise<{ id: string; framework_id: string }> {
  return expectStatus(await tenant.admin.get('/compliance/controls', { query: { ref } }), 200).body.data[0]
}
const patch = (id: string, body: object, options = {}) =>
  tenant.admin.patch(`/compliance/controls/${id}`, body, options)

describe('a control', () => {
  test('is listed in the order of its framework, with the priority of its gap', async () => {
    const { id, framework_id } = await controlOf('LLM08:2025')
    expect(id).toMatch(/^[0-9a-f-]{36}$/)
    const list = expectStatus(await tenant.admin.get('/compliance/controls', { query: { framework_id } }), 200).body
      .data
    expect(list.map(({ ref }: { ref: string }) => ref)).toEqual([...list.map(({ ref }: { ref: string }) => ref)].sort())
    expect(list.find(({ ref }: { ref: string }) => ref === 'LLM08:2025')).toMatchObject({
      ...{ result: 'not_assessed', score: 0, evidence_state: 'missing', priority: expect.any(Number) },
    })
  })

  test('is changed with its weight, remediation and maturity, which its evidence holds down', async () => {
    const { id } = await controlOf('LLM09:2025')
    const body = {
      ...{ weight: 3, maturity_claimed: 5, implementation_status: 'partial', due_at: '2026-12-27T00:00:00.000Z' },
      remediation: [{ title: 'Ground answers', effort_days: 5 }],
    }
    const changed = expectStatus(await patch(id, body), 200).body.data
    expect(changed).toMatchObject({
      ...{ weight: 3, maturity_effective: 2, maturity_reason: expect.stringContaining('Level 3') },
      remediation: [{ title: 'Ground answers', status: 'open', id: expect.any(String) }],
    })
  })

  test('does not apply with a justification and a second person alone', async () => {
    const { id } = await controlOf('LLM04:2025')
    expect(told(await patch(id, { applicable: false }))).toEqual([422, 'COMP-011', '/justification'])
    const asked = { applicable: false, justification: 'We train no models.' }
    const refused = await patch(id, asked)
    expect(told(refused)).toEqual([403, 'COMP-009', undefined])
    const confirmed = { ...asked, confirm_token: refused.body.confirm_token }
    const officer = await tenant.as('compliance_officer')
    const answer = await officer.patch(`/compliance/controls/${id}`, confirmed)
    // The officer of a test has credentials that this administrator set, so the administrator confirms alone.
    const done = answer.status === 200 ? answer : await patch(id, confirmed)
    expect(expectStatus(done, 200).body.data).toMatchObject({ result: 'not_applicable', score: null })
  })

  test.each<[string, object, number, string, string | undefined]>([
    [
      'an owner nobody knows',
      { owner_user_id: '0190c000-0000-7000-8000-00000000ffff' },
      400,
      'API-001',
      '/owner_user_id',
    ],
    [
      'evidence nobody knows',
      { evidence_links: { add: [{ evidence_id: '0190c000-0000-7000-8000-00000000ffff' }] } },
      400,
      'API-001',
      '/evidence_links/add/0/evidence_id',
    ],
    ['an alternative without a reason', { implementation_status: 'alternative' }, 422, 'COMP-011', '/justification'],
    ['a weight of 4', { weight: 4 }, 400, 'API-001', '/weight'],
  ])('is not changed to %s', async (_what, body, status, code, pointer) => {
    const { id } = await controlOf('LLM10:2025')
    expect(told(await patch(id, body))).toEqual([status, code, pointer])
  })
})

test('what is satisfied elsewhere gives a lower bound through mappings, and a rejected path gives none', async () => {
  const frameworks = expectStatus(await tenant.admin.get('/compliance/frameworks?q=owasp-agentic'), 200).body.data
  const adopt = { source: 'known', framework_id: frameworks[0].id, action: 'adopt' }
  expectStatus(await tenant.admin.post('/compliance/frameworks', adopt), 201)
  expectStatus(
    await tenant.admin.post('/compliance/evidence', { kind: 'check_run', check_id: 'gateway.injection_blocking' }),
    201,
  )
  const source = await controlOf('LLM01:2025')
  const seen = expectStatus(await tenant.admin.get(`/compliance/controls/${source.id}`), 200).body.data
  const target = await controlOf('ASI01')
  const before = expectStatus(await tenant.admin.get(`/compliance/controls/${target.id}`), 200).body.data
  expect(before.notice).toContain('aid')
  if (seen.result !== 'satisfied') return
  const [path] = before.inherited.filter((one: { path: string[] }) => one.path[0] === 'owasp-llm-2025 LLM01:2025')
  expect(path).toMatchObject({
    relation: 'subset-of',
    outcome: 'partially_satisfied',
    state: 'suggested',
    assumed: false,
  })
  expect(before.lower_bound).toBe(0)
  const decide = (state: string) =>
    patch(target.id, { inherited_decisions: [{ mapping_ids: path.mapping_ids, state }] })
  expect(expectStatus(await decide('accepted'), 200).body.data.lower_bound).toBeCloseTo(path.k, 10)
  expect(expectStatus(await decide('rejected'), 200).body.data.lower_bound).toBe(0)
})

test('a stale If-Match changes nothing', async () => {
  const { id } = await controlOf('LLM03:2025')
  const stale = { headers: { 'if-match': '"99-x"' } }
  expect(told(await patch(id, { weight: 2 }, stale))[0]).toBe(412)
})
