import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectStatus, openWorld, type TestTenant, type World } from '../../../../test/support/world.ts'
import { sql } from '../../../kernel/db/sql.ts'

const shared = (path: string) => fileURLToPath(new URL(`../../../../../../../shared/data/${path}`, import.meta.url))
const attack = shared('attack/enterprise-attack-18.1-compact.json')
const atlas = shared('atlas/atlas-5.6.0-compact.json')
const vectors = shared('cvss4/examples.csv')
const manyVectors = shared('cvss4/random-vectors.csv')

let world: World
let tenant: TestTenant
beforeAll(async () => {
  world = await openWorld()
  tenant = await world.tenant('risk-threats')
})
afterAll(() => world?.close())

const load = (format: string, content: string, over: object = {}) =>
  tenant.admin.post('/risk/threats/import', { format, content, ...over })
const done = async (format: string, content: string, over: object = {}) =>
  expectStatus(await load(format, content, over), 201).body.data
const total = async (query: Record<string, string>) =>
  expectStatus(await tenant.admin.get('/risk/threats', { query: { limit: '1', ...query } }), 200).body.meta.pagination
    .total_count
const told = (answer: { status: number; body: { error_code?: string; errors?: { pointer?: string }[] } }) => [
  answer.status,
  answer.body.error_code,
  answer.body.errors?.[0]?.pointer,
]

test.skipIf(!existsSync(attack))('ATT&CK is imported whole, and again changes nothing', async () => {
  const text = readFileSync(attack, 'utf8')
  const made = await done('stix', text)
  expect(made).toMatchObject({ created: 835 + 44 + 172 + 52 + 14, updated: 0, revoked: 132, status: 'completed' })
  expect(await done('stix', text)).toMatchObject({ created: 0, updated: 0, revoked: 0, unchanged: made.created })
  expect(await total({ source: 'attack', type: 'attack-pattern' })).toBe(691)
  expect(await total({ source: 'attack', type: 'attack-pattern', include_revoked: 'true' })).toBe(835)
  expect(await total({ source: 'attack', type: 'course-of-action' })).toBe(44)
  expect(await total({ source: 'attack', type: 'tactic' })).toBe(14)
  expect(await total({ type: 'attack-pattern', tactic: 'defense-evasion' })).toBe(215)
  expect(await total({ type: 'attack-pattern', group: 'G0016' })).toBe(66)
  const [phishing] = (await tenant.admin.get('/risk/threats', { query: { q: 'T1566.001' } })).body.data
  expect(phishing).toMatchObject({ parent_id: 'T1566', source: 'attack' })
  const bare = await world.kernel.db.tenant({ tenantId: tenant.id }, (tx) =>
    tx.first(sql<{ n: number }>`
      select count(*)::int as n from risk_threat
      where type = 'attack-pattern' and source = 'attack' and not revoked and not deprecated and mitigations = '{}'`),
  )
  expect(bare?.n).toBe(109)
})

test.skipIf(!existsSync(atlas))('ATLAS is imported whole, and again changes nothing', async () => {
  const text = readFileSync(atlas, 'utf8')
  expect(await done('atlas', text)).toMatchObject({ created: 16 + 170 + 35 + 57, updated: 0 })
  expect(await done('atlas', text)).toMatchObject({ created: 0, updated: 0, unchanged: 278 })
  const [indirect] = (await tenant.admin.get('/risk/threats', { query: { q: 'AML.T0051.001' } })).body.data
  expect(indirect).toMatchObject({ name: 'Indirect', tactics: ['execution'], parent_id: 'AML.T0051' })
  expect(indirect.groups).toHaveLength(13)
})

test.skipIf(!existsSync(vectors) || !existsSync(manyVectors))(
  'a dry run is a calculator of CVSS, and stores nothing',
  async () => {
    const rowsOf = (file: string) => readFileSync(file, 'utf8').trim().split('\n').slice(1).map(rowOf)
    const rows = [...rowsOf(vectors), ...rowsOf(manyVectors).filter((_, i) => i % 4 === 0)]
    for (let at = 0; at < rows.length; at += 100) {
      const asked = rows.slice(at, at + 100)
      const list = asked.map(({ cvss_vector }, i) => ({ cve: `CVE-2099-${1000 + i}`, cvss_vector }))
      const { items, created } = await done('cve', JSON.stringify(list), { dry_run: true })
      expect(created).toBe(list.length)
      expect(items.map(scoredAs)).toEqual(asked)
    }
    expect(await total({ source: 'cve' })).toBe(0)
  },
)

const scoredAs = ({ cvss_vector, cvss_score }: { cvss_vector: string; cvss_score: number }) => ({
  cvss_vector,
  cvss_score,
})
function rowOf(line: string) {
  const [cvss_vector = '', score] = line.split(',')
  return { cvss_vector, cvss_score: Number(score) }
}

test('vulnerabilities gather scores, exploitation and a decision', async () => {
  const id = 'CVE-2026-1000'
  const cvss_vector = 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N'
  const listed = {
    cve: id,
    name: 'Flaw',
    cvss_vector,
    automatable: 'yes',
    technical_impact: 'total',
    mission: 'medium',
  }
  await done('cve', JSON.stringify([listed]))
  const epss = `#model_version:v2025.03.14,score_date:2026-01-02\ncve,epss,percentile\n${id},0.9,0.99\nCVE-2026-9999,0.1,0.2\n`
  expect(await done('epss_csv', epss)).toMatchObject({ created: 0, updated: 1, skipped: [{ pointer: '/content' }] })
  const kev = {
    cveID: id,
    vendorProject: 'Acme',
    product: 'Proxy',
    dateAdded: '2026-01-01',
    dueDate: '2026-01-22',
    knownRansomwareCampaignUse: 'Known',
  }
  expect(await done('kev_json', JSON.stringify({ vulnerabilities: [kev] }))).toMatchObject({ updated: 1 })
  const [found] = (
    await tenant.admin.get('/risk/threats', { query: { kev: 'true', epss_min: '0.5', cvss_min: '9', ssvc: 'act' } })
  ).body.data
  expect(found).toMatchObject({
    external_id: id,
    cvss_score: 9.3,
    epss: 0.9,
    kev: { ransomware: true },
    ssvc: { exploitation: 'active' },
  })
})

describe('a file that is not of its format changes nothing', () => {
  const relationship = {
    ...{ type: 'relationship', id: 'relationship--00000000-0000-4000-8000-000000000001', relationship_type: 'uses' },
    source_ref: 'intrusion-set--00000000-0000-4000-8000-000000000002',
    target_ref: 'attack-pattern--00000000-0000-4000-8000-000000000003',
  }

  test.each([
    ['broken JSON', 'stix', '{', [422, 'RISK-013', '/content']],
    ['nesting', 'stix', '['.repeat(10_000_000), [422, 'RISK-013', '/content']],
    ['a member twice', 'custom', '[{"name":"a","name":"b"}]', [422, 'RISK-013', '/content/0/name']],
    [
      'broken references',
      'stix',
      JSON.stringify({ type: 'bundle', objects: [relationship] }),
      [422, 'RISK-013', '/content/objects/0/source_ref'],
    ],
    ['a list for a bundle', 'stix', '[]', [422, 'RISK-013', '/content']],
    ['a bundle for ATLAS', 'atlas', '{"type":"bundle","objects":[]}', [422, 'RISK-013', '/content/id']],
    ['text for EPSS', 'epss_csv', 'hello', [422, 'RISK-013', '/content']],
    [
      'a wrong vector',
      'cve',
      '[{"cve":"CVE-2026-0001","cvss_vector":"CVSS:4.0/AV:X"}]',
      [422, 'RISK-014', '/content/0/cvss_vector'],
    ],
    ['NUL', 'custom', '[{"external_id":"\\u0000"}]', [422, 'RISK-013', '/content/0/external_id']],
  ])('%s', async (_name, format, content, wanted) => {
    const before = await total({ include_revoked: 'true' })
    expect(told(await load(format, content))).toEqual(wanted)
    expect(await total({ include_revoked: 'true' })).toBe(before)
  })

  test('an unknown format is refused as a body', async () => {
    expect(told(await load('xml', '<x/>'))).toEqual([400, 'API-001', '/format'])
  })
})
