/** Every kind of report tells something of a tenant with data, and of an empty one that there is none. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectStatus, openWorld, type TestTenant, type World } from '../../../../test/support/world.ts'
import { reportKinds } from '../declared/report-words.ts'
import type { ReportDocument } from './model/document.ts'
import { sectionsOf } from './sections.ts'

let world: World
let filled: TestTenant
let empty: TestTenant
beforeAll(async () => {
  world = await openWorld({ own: true })
  filled = await world.tenant('kinds-filled')
  empty = await world.tenant('kinds-empty')
  const service = { key: 'api', name: 'API', kind: 'component', criticality: 3 }
  const steps = [{ step: 'restore', distribution: { type: 'constant', value: 10 } }]
  const model = { mode: 'merge', services: [{ ...service, recovery_steps: steps }] }
  expectStatus(await filled.admin.patch('/resilience/model', model), 200)
  const asset = { kind: 'host', name: 'Host', external_ids: [{ source: 'test', id: 'host' }] }
  expectStatus(await filled.admin.post('/cybertwins/assets', { assets: [asset] }), 201)
  const policy = { kind: 'schedule', name: 'Lineage', categories: ['lineage'], maximum: 'P500D', ground: 'A test' }
  expectStatus(await filled.admin.post('/data-gov/retention-policies', policy), 201)
})
afterAll(() => world?.close())

async function produced(kind: string, { admin }: TestTenant): Promise<ReportDocument> {
  const asked = await admin.post('/platform/reports', { kind, formats: ['json', 'pdf'] })
  const { id } = expectStatus(asked, 201).body.data
  const see = async () => expectStatus(await admin.get(`/platform/reports/${id}`), 200).body.data
  await expect.poll(async () => (await see()).status, { timeout: 20_000 }).toBe('completed')
  const { payload } = await world.program.app.inject({
    url: `/api/v1/platform/reports/${id}?format=json`,
    headers: { authorization: `Bearer ${admin.token}` },
  })
  return JSON.parse(payload)
}

const kinds = reportKinds.filter((kind) => kind !== 'custom')
const told = ({ sections }: ReportDocument) =>
  sections.map(({ fact, figures, tables }) => [fact, figures.length + tables.length > 0])

describe.each(kinds)('%s', (kind) => {
  test('has its sections, none of which is without a word, for either tenant', async () => {
    const expected = sectionsOf[kind].map((fact) => [fact, true])
    expect(told(await produced(kind, filled))).toEqual(expected)
    expect(told(await produced(kind, empty))).toEqual(expected)
  })
})

test('data of the newer modules stand in their reports', async () => {
  const tables = async (kind: string) => (await produced(kind, filled)).sections.flatMap((section) => section.tables)
  expect((await tables('resilience')).map(({ title }) => title)).toContain('Services')
  const numbers = async (kind: string) =>
    (await produced(kind, filled)).sections.flatMap(({ figures }) => figures.map(({ value }) => Number(value)))
  for (const kind of ['cyber_twin', 'data_governance'])
    expect(Math.max(...(await numbers(kind)).filter(Number.isFinite))).toBeGreaterThan(0)
})
