import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import type { ModuleCases } from '../../../../test/generated/module-cases.ts'
import { expectStatus, type TestTenant } from '../../../../test/support/world.ts'

/** A receiver that takes everything, so that a test of an integration succeeds. */
const receiver = createServer((request, response) => {
  request.resume()
  response.end('ok')
})
receiver.listen(0, '127.0.0.1')
await once(receiver, 'listening')
receiver.unref()
const { port } = receiver.address() as AddressInfo

const notifications = 'POST /api/v1/platform/notifications'
const inbox = 'PATCH /api/v1/platform/notifications'
const reports = 'POST /api/v1/platform/reports'
const workflows = 'POST /api/v1/platform/workflows'
const runs = 'POST /api/v1/platform/workflows/{workflow_id}/runs'
const run = 'PATCH /api/v1/platform/workflows/{workflow_id}/runs/{run_id}'
const integrations = 'POST /api/v1/platform/integrations'
const deliveries = 'POST /api/v1/platform/integrations/{integration_id}/deliveries'

/** Waits for a day, so that a run of it can be cancelled. */
const definition = {
  trigger: { type: 'manual' },
  steps: [{ id: 'wait', type: 'delay', with: { seconds: 86_400 } }],
}
const notification = (n: number) => ({
  ...{ title: `Sample ${n}`, body: 'A sample.', severity: 'info', category: 'general' },
  recipients: { permission: 'platform:admin' },
})

const memberKinds = {
  user_ids: 'user_id',
  integration_ids: 'integration_id',
  // Of copies, events and deliveries, which have no path of their own: an id that names none of them.
  ids: 'run_id',
  up_to_id: 'run_id',
  event_id: 'run_id',
  delivery_ids: 'run_id',
}

const bodies: ModuleCases['bodies'] = {
  [notifications]: notification,
  [inbox]: () => ({ preferences: { locale: 'en' } }),
  [reports]: (n) => ({ kind: 'trust', title: `Sample ${n}`, formats: ['json'] }),
  [workflows]: (n) => ({ key: `sample-${n}`, name: `Sample ${n}`, definition, declared_permissions: [] }),
  [runs]: (n) => ({ event: { channel: 'sample.thing.happened', data: { n } } }),
  [run]: () => ({ action: 'cancel' }),
  [integrations]: (n) => ({ name: `Sample ${n}`, kind: 'webhook', config: { url: `http://127.0.0.1:${port}/${n}` } }),
  [deliveries]: (n) => ({ kind: 'test', title: `Sample ${n}` }),
}

let integrated = 0

const ended = new Set(['completed', 'failed'])

/** A report whose files are made: its state moves no more. */
async function madeReport({ admin }: TestTenant) {
  const body = { kind: 'trust', title: 'Found', formats: ['json'] }
  const { id } = expectStatus(await admin.post('/platform/reports', body), 201).body.data
  for (;;) {
    const answer = expectStatus(await admin.get(`/platform/reports/${id}`), 200)
    if (ended.has(answer.body.data.status)) return answer
    await setTimeout(50)
  }
}

const found: ModuleCases['found'] = {
  report_id: madeReport,
  // With deliveries, which have no path of their own.
  integration_id: async ({ admin }) => {
    integrated += 1
    const config = { url: `http://127.0.0.1:${port}/found-${integrated}` }
    const made = await admin.post('/platform/integrations', { name: `Found ${integrated}`, kind: 'webhook', config })
    const { id } = expectStatus(made, 201).body.data
    for (let n = 0; n < 2; n += 1)
      expectStatus(await admin.post(`/platform/integrations/${id}/deliveries`, { kind: 'test' }), 201)
    return made
  },
  run_id: async ({ admin }) => {
    const [newest] = expectStatus(await admin.get('/platform/workflows?limit=1'), 200).body.data
    return admin.post(`/platform/workflows/${newest.id}/runs`, {})
  },
}

const idPlaces: ModuleCases['idPlaces'] = {
  [`${notifications} body/recipients/user_ids[]`]: {
    kind: 'user_id',
    with: (id) => ({ recipients: { user_ids: [id] } }),
  },
  [`${notifications} body/integration_ids[]`]: { kind: 'integration_id', with: (id) => ({ integration_ids: [id] }) },
  // Another module's id, which is shown to whoever may read that module and not looked up.
  [`${notifications} body/resource/id`]: {
    kind: 'risk_id',
    with: (id) => ({ resource: { module: 'risk', type: 'risk', id, url: null } }),
    verbatim: true,
  },
  // Ids of other people's copies are not marked.
  [`${inbox} body/mark/ids[]`]: {
    kind: 'user_id',
    with: (id) => ({ mark: { status: 'read', ids: [id] } }),
    verbatim: true,
  },
  [`${inbox} body/mark/up_to_id`]: {
    kind: 'user_id',
    with: (id) => ({ mark: { status: 'read', up_to_id: id } }),
    verbatim: true,
  },
  'GET /api/v1/platform/integrations query/id': { kind: 'integration_id', with: (id) => ({ id }) },
  'GET /api/v1/platform/workflows query/id': { kind: 'workflow_id', with: (id) => ({ id }) },
  // The samples are of no workflow.
  'GET /api/v1/platform/reports query/workflow_id': {
    kind: 'workflow_id',
    with: (id) => ({ workflow_id: id }),
    shows: false,
  },
  // Events and deliveries have no path of their own, so these name nothing, whatever they are.
  'GET /api/v1/platform/integrations/{integration_id}/deliveries query/event_id': {
    kind: 'run_id',
    with: (id) => ({ event_id: id }),
    shows: false,
  },
  [`${runs} body/event_id`]: { kind: 'run_id', with: (id) => ({ event_id: id }) },
  [`${deliveries} body/delivery_ids[]`]: {
    kind: 'run_id',
    with: (id) => ({ kind: 'replay', delivery_ids: [id] }),
  },
}

const noIds = [
  // Names of steps within the definition itself.
  `${workflows} body/definition/steps[]/id`,
  `${run} body/step_id`,
]

/** Copies and deliveries come with events; versions and files are looked at beside their code. */
const emptyTables = ['platform_inbox', 'platform_notification', 'platform_preference', 'platform_subscription']

/** Samples of this module for the suites over all routes. */
export const cases: ModuleCases = { memberKinds, bodies, found, idPlaces, noIds, emptyTables }
