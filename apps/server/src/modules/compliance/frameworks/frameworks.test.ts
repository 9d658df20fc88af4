import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectStatus, openWorld, type TestTenant, type World } from '../../../../test/support/world.ts'
import { files, hasNist, nistText } from '../testing/nist.ts'

let world: World
let tenant: TestTenant
beforeAll(async () => {
  world = await openWorld()
  tenant = await world.tenant('compliance-frameworks')
})
afterAll(() => world?.close())

const told = (answer: { status: number; body: { error_code?: string; errors?: { pointer?: string }[] } }) => [
  answer.status,
  answer.body.error_code,
]

const oscal = { headers: { accept: 'application/oscal+json' } }
const imports = (body: object) => tenant.admin.post('/compliance/frameworks', body)
const table = (...rows: string[]) => ['id,parent,title,statement,weight', ...rows].join('\r\n')
const custom = (key: string, rest: object = {}) => ({
  ...{
    source: 'csv',
    key,
    edition: '1',
    title: 'Own rules',
    content: table('A,,First rule,,2', 'A.1,A,Second rule,Do it,'),
  },
  ...rest,
})

test('a new tenant knows the catalogs of the program, and two are adopted', async () => {
  const { body } = expectStatus(await tenant.admin.get('/compliance/frameworks?limit=50'), 200)
  expect(body.data).toHaveLength(11)
  const adopted = body.data.filter((one: { adoption: string }) => one.adoption === 'adopted')
  expect(adopted.map((one: { key: string }) => one.key).sort()).toEqual(['nist-ai-rmf-1.0', 'owasp-llm-2025'])
  for (const { live_score: score, control_count: count } of adopted) {
    expect(score.controls).toBe(count)
    // Checks may have run; no person has looked.
    expect(score.coverage).toBeLessThan(0.5)
    expect(score.score).toBeLessThanOrEqual(100 * score.coverage)
  }
})

describe('a custom framework', () => {
  test('comes in as a draft, is published, adopted, seen with its tree and exported', async () => {
    const { framework, imported } = expectStatus(await imports(custom('own-rules')), 201).body.data
    expect(framework).toMatchObject({ status: 'draft', adoption: 'not_adopted', control_count: 2 })
    expect(imported).toMatchObject({ controls: 2, groups: 0, withdrawn: 0 })
    const known = (action: string) => imports({ source: 'known', framework_id: framework.id, action })
    expect(told(await known('adopt'))).toEqual([409, 'COMP-005'])
    expectStatus(await known('publish'), 201)
    expect(expectStatus(await known('adopt'), 201).body.data.framework.adoption).toBe('adopted')
    expect(told(await known('archive'))).toEqual([409, 'COMP-005'])
    const seen = expectStatus(await tenant.admin.get(`/compliance/frameworks/${framework.id}?include=tree`), 200)
    expect(seen.body.data.tree).toMatchObject([{ ref: 'A' }, { ref: 'A.1', parent_ref: 'A' }])
    const file = await tenant.admin.get(`/compliance/frameworks/${framework.id}`, { headers: { accept: 'text/csv' } })
    expect(file.text).toContain('"A.1","A","Second rule","Do it"')
    const profile = await tenant.admin.get(`/compliance/frameworks/${framework.id}?format=oscal-profile`, oscal)
    expect(JSON.parse(profile.text).profile.imports[0]['include-controls']).toEqual([{ 'with-ids': ['A', 'A.1'] }])
  })

  test('is the same when it comes again, refused with other content, and compared in a new edition', async () => {
    const first = expectStatus(await imports(custom('again')), 201).body.data.framework
    expect(expectStatus(await imports(custom('again')), 201).body.data.framework.id).toBe(first.id)
    const other = table('A,,First rule,,1', 'B,,New rule,,1')
    expect(told(await imports(custom('again', { content: other })))).toEqual([409, 'COMP-003'])
    const { diff } = expectStatus(await imports(custom('again', { content: other, edition: '2' })), 201).body.data
    expect(diff).toMatchObject({ against: '1', added: ['B'], changed: [], withdrawn: ['A.1'] })
  })

  test('of a dry run is not there afterwards', async () => {
    const { framework, imported } = expectStatus(await imports(custom('dry', { dry_run: true })), 201).body.data
    expect(framework).toBeNull()
    expect(imported.controls).toBe(2)
    expect((await tenant.admin.get('/compliance/frameworks?q=dry')).body.data).toEqual([])
  })

  test.each<[string, object, number, string]>([
    ['that is a formula', custom('bad', { content: table('A,,=cmd,,') }), 422, 'COMP-002'],
    ['without a key', custom('bad', { key: undefined }), 400, 'API-001'],
    ['without content', custom('bad', { content: undefined }), 400, 'API-001'],
    ['that is another model', { source: 'oscal', key: 'x', content: '{"assessment-plan":{}}' }, 422, 'COMP-001'],
    ['that is XML', { source: 'oscal', key: 'x', content: '<!DOCTYPE a><catalog/>' }, 422, 'COMP-002'],
    [
      'that nobody knows',
      { source: 'known', action: 'adopt', framework_id: '0190c000-0000-7000-8000-00000000ffff' },
      404,
      'API-013',
    ],
  ])('%s is refused and changes nothing', async (_what, body, status, code) => {
    expect(told(await imports(body))).toEqual([status, code])
    expect((await tenant.admin.get('/compliance/frameworks?q=bad')).body.data).toEqual([])
  })

  test('is published by administrators alone', async () => {
    const { framework } = expectStatus(await imports(custom('officers')), 201).body.data
    const officer = await tenant.as('compliance_officer')
    const answer = await officer.post('/compliance/frameworks', {
      ...{ source: 'known', framework_id: framework.id, action: 'publish' },
    })
    expect([201, 403]).toContain(answer.status)
  })
})

describe('mappings', () => {
  const uuid = '0190c000-0000-4000-8000-000000000001'
  const collection = (relationship: string, target: string) => ({
    source: 'oscal',
    content: JSON.stringify({
      'mapping-collection': {
        ...{ uuid, provenance: {} },
        metadata: { title: 'Ours', version: '1', 'last-modified': '2026-01-01T00:00:00Z', 'oscal-version': '1.2.1' },
        mappings: [
          {
            uuid,
            'source-resource': { type: 'catalog', href: '#owasp-llm-2025' },
            'target-resource': { type: 'catalog', href: '#owasp-agentic-2026' },
            maps: [
              {
                ...{ uuid, relationship },
                sources: [{ type: 'control', 'id-ref': 'LLM05:2025' }],
                targets: [{ type: 'control', 'id-ref': target }],
              },
            ],
          },
        ],
      },
    }),
  })

  test('come in and go out again', async () => {
    expect(expectStatus(await imports(collection('superset', 'ASI05')), 201).body.data.imported.mappings).toBe(1)
    const [{ id }] = (await tenant.admin.get('/compliance/frameworks?q=owasp-agentic')).body.data
    const file = await tenant.admin.get(`/compliance/frameworks/${id}?format=oscal-mapping`, oscal)
    expect(JSON.parse(file.text)['mapping-collection'].mappings[0].maps).toMatchObject([
      { relationship: 'superset-of' },
    ])
  })

  test('with an unknown relation or control are refused', async () => {
    expect(told(await imports(collection('similar', 'ASI05')))).toEqual([422, 'COMP-006'])
    expect(told(await imports(collection('subset', 'ASI99')))).toEqual([422, 'COMP-004'])
  })
})

describe.skipIf(!hasNist)("NIST's files", () => {
  test('SP 800-53 comes in, its baseline is resolved from it, and both come out as they went in', async () => {
    const text = nistText(files.sp80053)
    const body = { source: 'oscal', key: 'nist-800-53r5', content: text, adopt: {} }
    const { framework, imported } = expectStatus(await imports(body), 201).body.data
    expect(imported).toMatchObject({ groups: 20, controls: 1189, withdrawn: 182, params: 1258 })
    expect(framework).toMatchObject({ control_count: 1007, live_score: { controls: 1007, score: 0 } })
    const out = JSON.parse((await tenant.admin.get(`/compliance/frameworks/${framework.id}`, oscal)).text).catalog
    expect(out.groups).toEqual(JSON.parse(text).catalog.groups)
    expect(out.metadata.revisions).toHaveLength(1)

    const profile = nistText(files.profiles[3] ?? '')
    const low = { source: 'oscal', key: 'nist-privacy', content: profile, base_framework_ids: [framework.id] }
    const resolved = expectStatus(await imports(low), 201).body.data
    expect(resolved).toMatchObject({ imported: { controls: 96 }, warnings: [expect.stringContaining('sc-7.24')] })
    const file = await tenant.admin.get(`/compliance/frameworks/${resolved.framework.id}?format=oscal-profile`, oscal)
    expect(JSON.parse(file.text).profile.imports).toEqual(JSON.parse(profile).profile.imports)
    expect(told(await imports({ ...low, key: 'without-base', base_framework_ids: [] }))).toEqual([422, 'COMP-004'])
  })
})
