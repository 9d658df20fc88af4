import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectStatus, openWorld, type TestTenant, type World } from '../../../../test/support/world.ts'
import { canonicalJson } from '../../../kernel/crypto/canonical-json.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { files, hasNist, nist } from '../testing/nist.ts'

/** As auditors have it. */
const verifier = new URL('../../../../../../scripts/verify-evidence.mjs', import.meta.url).href

let world: World
let tenant: TestTenant
let frameworkId: string
beforeAll(async () => {
  world = await openWorld()
  tenant = await world.tenant('compliance-assess')
  frameworkId = expectStatus(await tenant.admin.get('/compliance/frameworks?q=owasp-llm'), 200).body.data[0].id
})
afterAll(() => world?.close())

const told = (answer: { status: number; body: { error_code?: string } }) => [answer.status, answer.body.error_code]
const make = (body: object) => tenant.admin.post('/compliance/assessments', body)
const patch = (id: string, body: object) => tenant.admin.patch(`/compliance/assessments/${id}`, body)
const framework = (rest: object = {}) => ({
  type: 'framework',
  name: 'LLM review',
  framework_ids: [frameworkId],
  ...rest,
})
const controls = async (): Promise<{ id: string; ref: string }[]> =>
  expectStatus(
    await tenant.admin.get('/compliance/controls', { query: { framework_id: frameworkId, limit: '50' } }),
    200,
  ).body.data

/** As an assessor who is settled: approval takes another person, which the test's only administrator is not. */
const submittedByAnother = (id: string) =>
  world.kernel.db.tenant({ tenantId: tenant.id }, (tx) =>
    tx.execute(sql`
      update compliance_assessment set submitted_by = ${world.kernel.random.uuid()}, submitted_at = ${'2030-01-01T00:00:00.000Z'},
        created_by = null where id = ${id}`),
  )

async function completed(name: string) {
  const { id } = expectStatus(await make(framework({ name })), 201).body.data
  expectStatus(await patch(id, { action: 'start' }), 200)
  const results = (await controls()).map(({ id: control_id }, index) => ({
    control_id,
    result: index === 0 ? 'not_satisfied' : index === 1 ? 'partially_satisfied' : 'satisfied',
    ...(index === 0 ? { grading: 'minor_nonconformity', note: 'Nobody looks at it.' } : {}),
  }))
  expectStatus(await patch(id, { results }), 200)
  expectStatus(await patch(id, { action: 'submit' }), 200)
  await submittedByAnother(id)
  return expectStatus(await patch(id, { action: 'approve' }), 200).body.data
}

describe('an assessment', () => {
  test('moves by its states, is complete before it is submitted, and approved by another person alone', async () => {
    const { id, status } = expectStatus(await make(framework()), 201).body.data
    expect(status).toBe('draft')
    const [first] = await controls()
    const one = { results: [{ control_id: first?.id, result: 'satisfied' }] }
    expect(told(await patch(id, one))).toEqual([409, 'COMP-007'])
    expect(told(await patch(id, { action: 'approve' }))).toEqual([409, 'COMP-007'])
    expectStatus(await patch(id, { action: 'start' }), 200)
    expect(told(await patch(id, { framework_ids: [frameworkId] }))).toEqual([409, 'COMP-007'])
    expectStatus(await patch(id, one), 200)
    const incomplete = await patch(id, { action: 'submit' })
    expect(told(incomplete)).toEqual([422, 'COMP-010'])
    expect(incomplete.body.detail).toContain('LLM02:2025')
    const all = (await controls()).map((control) => ({ control_id: control.id, result: 'satisfied' }))
    expectStatus(await patch(id, { results: all, action: 'submit' }), 200)
    expect(told(await patch(id, { action: 'approve' }))).toEqual([403, 'COMP-009'])
    expect(told(await patch(id, { action: 'cancel' }))).toEqual([400, 'API-001'])
    expectStatus(await patch(id, { action: 'cancel', reason: 'Begun twice' }), 200)
    expect(told(await patch(id, { name: 'Other' }))).toEqual([409, 'COMP-008'])
  })

  test('that is approved is frozen, sealed, and counts for its controls', async () => {
    const done = await completed('Frozen')
    expect(done).toMatchObject({ status: 'completed', snapshot_sha256: expect.stringMatching(/^[0-9a-f]{64}$/) })
    expect(told(await patch(done.id, { action: 'approve' }))).toEqual([409, 'COMP-008'])
    expect(told(await patch(done.id, { results: [] }))).toEqual([409, 'COMP-008'])
    const [score] = done.scores.frameworks
    expect(score.score.coverage).toBe(1)
    const sealed = expectStatus(await tenant.admin.get(`/compliance/evidence/${done.snapshot_id}?verify=true`), 200)
      .body.data
    expect(sealed).toMatchObject({ kind: 'system_export', verified: true, sha256: done.snapshot_sha256 })
    const next = await completed('Again')
    expect((await tenant.admin.get(`/compliance/assessments/${done.id}`)).body.data.status).toBe('superseded')
    expect(next.status).toBe('completed')
    const list = expectStatus(await tenant.admin.get('/compliance/controls?ref=LLM03:2025'), 200).body.data
    expect(list[0]).toMatchObject({ result: 'satisfied', result_source: 'assessment' })
  })

  test('that is completed refuses every change, and stays as it was', async () => {
    const { id } = await completed('Refusing')
    const seen = async () => (await tenant.admin.get(`/compliance/assessments/${id}?include=results`)).body.data
    const before = await seen()
    const [first] = await controls()
    const changes: object[] = [
      ...[{ name: 'X' }, { scope: 'X' }, { framework_ids: [frameworkId] }, { assessor_ids: [] }, { due_at: null }],
      ...[{ results: [{ control_id: first?.id, result: 'satisfied' }] }, { answers: { answers: {} } }],
      ...['start', 'run_checks', 'submit', 'return', 'approve', 'cancel'].map((action) => ({ action, reason: 'X' })),
    ]
    for (const change of changes) expect([change, ...told(await patch(id, change))]).toEqual([change, 409, 'COMP-008'])
    expect(await seen()).toEqual(before)
  })

  test('that is approved twice at the same time is approved once', async () => {
    const { id } = expectStatus(await make(framework({ name: 'Raced' })), 201).body.data
    const results = (await controls()).map((control) => ({ control_id: control.id, result: 'satisfied' }))
    expectStatus(await patch(id, { action: 'start' }), 200)
    expectStatus(await patch(id, { results, action: 'submit' }), 200)
    await submittedByAnother(id)
    const answers = await Promise.all([patch(id, { action: 'approve' }), patch(id, { action: 'approve' })])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    const [row] = await world.kernel.db.read(
      tenant.id,
      sql<{
        n: number
      }>`select count(*)::int as n from compliance_evidence where source_ref = ${`compliance_assessment:${id}`}`,
    )
    expect(row?.n).toBe(1)
  })

  test.each<[string, () => object, number, string]>([
    ['without a framework', () => framework({ framework_ids: [] }), 400, 'API-001'],
    [
      'of a framework that is not adopted',
      () => framework({ framework_ids: ['0190c000-0000-7000-8000-00000000ffff'] }),
      422,
      'COMP-004',
    ],
    [
      'with an assessor nobody knows',
      () => framework({ assessor_ids: ['0190c000-0000-7000-8000-00000000ffff'] }),
      400,
      'API-001',
    ],
    ['that classifies nothing', () => ({ type: 'ai_act_classification', name: 'X' }), 422, 'COMP-020'],
  ])('%s is refused', async (_what, body, status, code) => {
    expect(told(await make(body()))).toEqual([status, code])
  })

  test('takes no result for a control that is out of scope', async () => {
    const { id } = expectStatus(await make(framework()), 201).body.data
    expectStatus(await patch(id, { action: 'start' }), 200)
    const foreign = expectStatus(await tenant.admin.get('/compliance/controls?ref=GOVERN 1.1'), 200).body.data[0].id
    expect(told(await patch(id, { results: [{ control_id: foreign, result: 'satisfied' }] }))).toEqual([400, 'API-001'])
  })

  test('of checks alone is completed at once, and what they did not look at stays open', async () => {
    expectStatus(
      await tenant.admin.post('/compliance/evidence', { kind: 'check_run', check_id: 'gateway.injection_blocking' }),
      201,
    )
    const done = expectStatus(await make({ ...framework(), type: 'automated', name: 'Checks' }), 201).body.data
    expect(done.status).toBe('completed')
    expect(done.scores.frameworks[0].score.coverage).toBeLessThan(0.6)
  })
})

/** By another program than ours: an Ed25519 key as DER (RFC 8410), and the signature over the bytes. */
function opensslVerifies(
  x: string,
  { data, signature }: { readonly data: string; readonly signature: string },
): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'parapet-openssl-'))
  const place = (name: string, bytes: Uint8Array) => {
    writeFileSync(join(folder, name), bytes)
    return join(folder, name)
  }
  const der = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), Buffer.from(x, 'base64url')])
  const key = ['-pubin', '-keyform', 'DER', '-inkey', place('key.der', der)]
  const files = ['-in', place('data', Buffer.from(data)), '-sigfile', place('sig', Buffer.from(signature, 'base64url'))]
  const { status } = spawnSync('openssl', ['pkeyutl', '-verify', '-rawin', ...key, ...files])
  rmSync(folder, { recursive: true })
  return status === 0
}

describe('exports', () => {
  const get = (id: string, format: string, accept: string) =>
    tenant.admin.get(`/compliance/assessments/${id}?format=${format}`, { headers: { accept } })

  test('are valid OSCAL, a table, a PDF, and a bundle that the auditor’s script verifies', async () => {
    const { id } = await completed('Exported')
    const oscal = 'application/oscal+json'
    const results = await get(id, 'oscal-ar', oscal)
    const poam = await get(id, 'oscal-poam', oscal)
    if (hasNist) {
      const validator = new Ajv({ strict: false, unicodeRegExp: true })
      addFormats.default(validator)
      const isValid = validator.compile(nist(files.schema))
      for (const { text } of [results, poam]) expect([isValid(JSON.parse(text)), isValid.errors]).toEqual([true, null])
    }
    expect(JSON.parse(poam.text)['plan-of-action-and-milestones']['poam-items']).toHaveLength(2)
    expect((await get(id, 'csv', 'text/csv')).text).toContain('"not_satisfied"')
    expect(told(await get(id, 'csv', oscal))).toEqual([422, 'COMP-022'])
    const [printed, again] = [await get(id, 'pdf', 'application/pdf'), await get(id, 'pdf', 'application/pdf')]
    expect(printed.text.slice(0, 5)).toBe('%PDF-')
    expect(printed.text === again.text).toBe(true)
    expect(printed.headers['content-disposition']).toMatch(/^attachment/)

    const bundle = JSON.parse((await get(id, 'bundle', 'application/vnd.parapet.bundle+json')).text)
    const { faultsOf } = await import(verifier)
    expect(faultsOf(bundle)).toEqual([])
    const [last] = bundle.chain.slice(-1)
    expect(faultsOf({ ...bundle, snapshot: { ...bundle.snapshot, notice: 'Other' } })).toHaveLength(1)
    expect(faultsOf({ ...bundle, chain: bundle.chain.slice(0, -1) })).not.toEqual([])
    const bent = { ...last, record: { ...last.record, title: 'Other' } }
    expect(faultsOf({ ...bundle, chain: bundle.chain.with(-1, bent) })).not.toEqual([])
    expect(faultsOf(bundle, [])).not.toEqual([])
    const [{ x }] = bundle.keys.filter((key: { kid: string }) => key.kid === bundle.signature.kid)
    expect(opensslVerifies(x, { data: canonicalJson(bundle.manifest), signature: bundle.signature.value })).toBe(true)
    const other = canonicalJson({ ...bundle.manifest, chain_size: 0 })
    expect(opensslVerifies(x, { data: other, signature: bundle.signature.value })).toBe(false)
  })

  test('of an assessment that is not completed are refused', async () => {
    const { id } = expectStatus(await make(framework()), 201).body.data
    expect(told(await get(id, 'oscal-ar', 'application/oscal+json'))).toEqual([422, 'COMP-022'])
  })
})

describe('a classification', () => {
  test('is answered without being stored, with its obligations and dates', async () => {
    const body = {
      ...{ type: 'ai_act_classification', name: 'CV screening', dry_run: true, timetable: '2024-adopted' },
      answers: { role: 'deployer', answers: { recruitment: true, profiles_persons: true } },
    }
    const { classification, status } = expectStatus(await make(body), 201).body.data
    expect(status).toBe('in_progress')
    expect(classification.tiers).toEqual(expect.arrayContaining(['high_risk_use', 'undetermined']))
    expect(classification.highest_possible).toBe('prohibited')
    expect(classification.obligations).toContainEqual(
      expect.objectContaining({ ref: 'Art. 26(1)', applies_from: '2026-08-02' }),
    )
    expect((await tenant.admin.get('/compliance/assessments?q=CV screening')).body.data).toEqual([])
  })

  test('with complete answers of a prohibited agent is completed and caps the pillar', async () => {
    const body = {
      ...{ type: 'ai_act_classification', name: 'Scoring agent', agent_id: 'agent-1' },
      answers: { role: 'provider', answers: { social_scoring: true } },
    }
    const done = expectStatus(await make(body), 201).body.data
    expect(done).toMatchObject({
      status: 'completed',
      classification: { tiers: ['prohibited'], penalty: expect.stringContaining('7 %') },
    })
    const reports = await world.kernel.db.tenant({ tenantId: tenant.id, readOnly: true }, (tx) =>
      world.kernel.trustReports(tx, world.kernel.clock.iso()),
    )
    const own = reports.find(({ module }) => module === 'compliance')?.report
    expect(own?.caps).toContainEqual({ id: 'prohibited_ai_active', active: true })
    expect(own?.signals.map(({ id }) => id)).toEqual([
      'control_effectiveness',
      'evidence_freshness',
      'nonconformity_pressure',
    ])
  })
})
