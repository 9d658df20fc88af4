import { access } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectStatus, openWorld, type World } from '../../../../test/support/world.ts'
import { type Lab, openLab } from '../testing/resilience-world.ts'

let world: World
let lab: Lab
beforeAll(async () => {
  world = await openWorld()
  lab = await openLab(world, 'scenarios')
})
afterAll(() => world?.close())

const path = '/resilience/scenarios'
const fault = { seam: 'upstream', kind: 'unavailable' }
const told = ({ status, body }: { status: number; body: { error_code: string; errors: { pointer?: string }[] } }) => [
  status,
  body.error_code,
  body.errors[0]?.pointer,
]

test('a scenario is approved by another person, and a draft again after an edit', async () => {
  const { admin } = lab.tenant
  const { id, status } = expectStatus(await admin.post(path, { name: 'Two people', faults: [fault] }), 201).body.data
  expect(status).toBe('draft')
  const one = `${path}/${id}`
  expect(told(await admin.patch(one, { status: 'approved' }))).toEqual([403, 'RES-014', undefined])
  expect(told(await lab.second.patch(one, { status: 'approved', tags: ['x'] }))[1]).toBe('RES-006')
  const approved = expectStatus(await lab.second.patch(one, { status: 'approved' }), 200).body.data
  expect(approved).toMatchObject({ status: 'approved', approved_by: expect.any(String) })
  const edited = expectStatus(await admin.patch(one, { description: 'More' }), 200).body.data
  expect(edited).toMatchObject({ status: 'draft', approved_by: null })
  expectStatus(await admin.patch(one, { status: 'archived' }), 200)
  expect(told(await lab.second.patch(one, { status: 'approved' }))[1]).toBe('RES-006')
  const analyst = await lab.tenant.as('security_analyst')
  expectStatus(await admin.patch(one, { status: 'draft' }), 200)
  expect((await analyst.patch(one, { status: 'approved' })).status).toBe(403)
})

test('an experiment of the Chaos Toolkit keeps its document, and its programs are listed and never run', async () => {
  const document = {
    ...{ title: 'Imported', tags: ['toolkit'] },
    'steady-state-hypothesis': {
      title: 'It answers',
      probes: [
        { type: 'probe', name: 'web', tolerance: 200, provider: { type: 'http', url: 'https://example.com/' } },
        { type: 'probe', name: 'own', tolerance: true, provider: { type: 'process', path: '/bin/false' } },
      ],
    },
    method: [{ type: 'action', name: 'kill', provider: { type: 'process', path: '/bin/kill', arguments: '-9 1' } }],
  }
  const body = { import: { format: 'chaostoolkit', document }, faults: [fault] }
  const made = expectStatus(await lab.tenant.admin.post(path, body), 201).body.data
  expect(made).toMatchObject({ name: 'Imported', tags: ['toolkit'], faults: [fault] })
  expect(made.not_executable.map(({ name }: { name: string }) => name)).toEqual(['own', 'kill'])
  const seen = expectStatus(await lab.tenant.admin.get(`${path}/${made.id}?include=chaostoolkit`), 200).body.data
  expect(seen.chaostoolkit).toEqual(document)
  const none = { import: { format: 'chaostoolkit', document: { title: 'No method' } } }
  expect(told(await lab.tenant.admin.post(path, none))).toEqual([422, 'RES-004', '/import/document/method'])
})

test('a program of an imported experiment is not run by the experiment either', async () => {
  const marker = join(tmpdir(), `parapet-never-${world.kernel.random.uuid()}`)
  const touch = { type: 'process', path: '/usr/bin/touch', arguments: marker }
  const document = {
    title: 'Touches a file',
    'steady-state-hypothesis': {
      title: 'It runs',
      probes: [{ type: 'probe', name: 'own', tolerance: 0, provider: touch }],
    },
    method: [{ type: 'action', name: 'touch', provider: touch }],
    rollbacks: [{ type: 'action', name: 'again', provider: touch }],
  }
  const body = { import: { format: 'chaostoolkit', document }, faults: [fault] }
  const { id: scenario_id } = expectStatus(await lab.tenant.admin.post(path, body), 201).body.data
  const experiment = {
    ...{ scenario_id, mode: 'automated', scope: 'synthetic', ttl_seconds: 1 },
    blast_radius: { percentage: 100, max_affected_calls: 10 },
  }
  const { id } = expectStatus(await lab.tenant.admin.post('/resilience/chaos/experiments', experiment), 201).body.data
  await lab.until(id, 'completed')
  await expect(access(marker)).rejects.toThrow('ENOENT')
})

test.each([
  [{ faults: [{ seam: 'cache', kind: 'reset' }] }, '/faults/0/kind'],
  [{ faults: [{ seam: 'bus', kind: 'rate_limit' }] }, '/faults/0/kind'],
  [{ faults: [{ seam: 'http_out', kind: 'duplicate' }] }, '/faults/0/kind'],
  [
    { faults: [{ seam: 'upstream', kind: 'latency', delay_ms: { type: 'uniform', low: 5, high: 1 } }] },
    '/faults/0/delay_ms/low',
  ],
  [
    {
      hypothesis: {
        title: 'x',
        probes: [
          { name: 'x', kind: 'http', url: 'https://a.example', tolerance: { type: 'regex', pattern: '(?=a)b' } },
        ],
      },
    },
    '/hypothesis/probes/0/tolerance/pattern',
  ],
  [{ faults: [{ seam: 'upstream', kind: 'latency' }] }, '/faults/0/delay_ms'],
  [
    { hypothesis: { title: 'x', probes: [{ name: 'x', kind: 'fact', tolerance: { type: 'max', value: 1 } }] } },
    '/hypothesis/probes/0/fact',
  ],
])('%j is refused', async (over, pointer) => {
  expect(told(await lab.tenant.admin.post(path, { name: 'Refused', ...over }))).toEqual([422, 'RES-003', pointer])
})

test('a name is taken once', async () => {
  expectStatus(await lab.tenant.admin.post(path, { name: 'Once' }), 201)
  expect(told(await lab.tenant.admin.post(path, { name: 'Once' }))).toEqual([422, 'RES-003', '/name'])
})
