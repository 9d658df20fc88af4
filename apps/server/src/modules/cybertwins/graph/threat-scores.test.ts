/** Scores of the threat library in the running program: they move the steps of vulnerabilities that say nothing themselves. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectStatus, openWorld, type TestTenant, type World } from '../../../../test/support/world.ts'

let world: World
let tenant: TestTenant
beforeAll(async () => {
  world = await openWorld()
  tenant = await world.tenant('twin-scores')
})
afterAll(() => world?.close())

const cve = 'CVE-2026-2001'
const imported = async (format: string, content: string) =>
  expectStatus(await tenant.admin.post('/risk/threats/import', { format, content }), 201)
const scored = (epss: number) =>
  imported(
    'epss_csv',
    `#model_version:v2025.03.14,score_date:2026-02-01T00:00:00+0000\ncve,epss,percentile\n${cve},${epss},0.9\n`,
  )
const step = async () =>
  expectStatus(await tenant.admin.get('/cybertwins/graphs/current'), 200).body.data.edges[0].probability

test('EPSS raises the step of a vulnerability, and a listing in KEV makes the attempt certain', async () => {
  await imported('cve', JSON.stringify([{ cve, name: cve }]))
  const cvss_vector = 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N'
  const assets = [
    {
      ...{ kind: 'external', name: 'Internet', entry_point: true },
      relationships: [{ kind: 'exploits', target: 'purl:pkg:npm/lib@1' }],
    },
    {
      ...{ kind: 'software', name: 'lib', external_ids: [{ source: 'purl', id: 'pkg:npm/lib@1' }] },
      vulnerabilities: [{ id: cve, cvss_vector, vex_state: 'exploitable' }],
    },
  ]
  expectStatus(await tenant.admin.post('/cybertwins/assets', { assets }), 201)
  await scored(0.1)
  const low = await step()
  await scored(0.3)
  const high = await step()
  expect(high).toBeGreaterThan(low)
  const listed = {
    ...{ cveID: cve, vendorProject: 'x', product: 'y', vulnerabilityName: 'z', shortDescription: 's' },
    ...{ dateAdded: '2026-02-01', requiredAction: 'r', dueDate: '2026-03-01', knownRansomwareCampaignUse: 'Known' },
  }
  await imported('kev_json', JSON.stringify({ vulnerabilities: [{ ...listed, cwes: [] }] }))
  expect(await step()).toBeGreaterThan(high)
})
