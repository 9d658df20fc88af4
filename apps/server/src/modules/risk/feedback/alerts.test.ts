/** Attempts that alerts tell of, beside those of blocked calls. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openWorld, type TestTenant, type World } from '../../../../test/support/world.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { attemptsSince } from '../observation/attempts.ts'
import { forgetSources } from '../observation/sources.ts'
import { threatEvents } from './threat-events.ts'

let world: World
let tenant: TestTenant
beforeAll(async () => {
  world = await openWorld()
  tenant = await world.tenant('risk-alerts')
})
afterAll(() => world?.close())

const inTenant = <T>(work: (tx: Tx) => Promise<T>) => world.kernel.db.tenant({ tenantId: tenant.id }, work)
const attempts = (technique: string) => inTenant((tx) => attemptsSince(tx, [technique], '2000-01-01T00:00:00.000Z'))

/** Hands events to the module as the log does. */
async function happened(...told: readonly { channel: string; data: Record<string, unknown> }[]): Promise<void> {
  const { kernel } = world
  const events = told.map(({ channel, data }, i) => ({
    ...{ position: i + 1, id: kernel.random.uuid(), tenantId: tenant.id, channel, sequence: i + 1 },
    ...{ type: 'x', subject: 'x', time: kernel.clock.iso(), traceparent: null, causationDepth: 0, data },
  }))
  const services = { kernel, iam: { knownPrincipals: () => Promise.resolve(new Set<string>()) } }
  await inTenant((tx) => threatEvents.handle({ tx, events, services, kernel }))
}

const blocked = (request: string) => ({
  channel: 'gateway.request.blocked',
  data: { request_id: request, log_id: `log-${request}`, blocked_by: { error_code: 'GW-003' }, provenance: 'user' },
})
const alert = (over: object, channel = 'aegis.alert.created') => ({
  channel,
  data: { alert_id: 'a1', status: 'new', count: 1, tags: ['AML.T0051'], request_ids: [], ...over },
})

test('a blocked call and the alerts that it raised count once', async () => {
  await happened(blocked('req_1'), alert({ request_ids: ['req_1'] }))
  expect(await attempts('AML.T0051')).toBe(1)
  await happened(alert({ count: 2, request_ids: ['log-req_1', 'req_2'] }, 'aegis.alert.updated'))
  expect(await attempts('AML.T0051')).toBe(2)
  await happened(alert({ alert_id: 'a2', request_ids: ['req_1', 'req_2'] }))
  expect(await attempts('AML.T0051')).toBe(2)
})

test('an alert without calls counts its hits as they grow, and a move of the alert counts none', async () => {
  const tags = ['AML.T0053']
  const grown = (count: number, status = 'new') => alert({ alert_id: 'b1', tags, count, status }, 'aegis.alert.updated')
  await happened(alert({ alert_id: 'b1', tags, count: 2 }))
  await happened(grown(5), grown(5, 'triaged'))
  await happened(grown(5, 'resolved'), grown(6, 'suppressed'))
  expect(await attempts('AML.T0053')).toBe(5)
})

test('what was counted is forgotten after so long that no alert tells of it any more', async () => {
  await happened(blocked('req_old'))
  const before = await attempts('AML.T0051')
  await happened(blocked('req_old'))
  expect(await attempts('AML.T0051')).toBe(before)
  await inTenant((tx) => forgetSources(tx, world.kernel.clock.iso(), 100))
  await happened(blocked('req_old'))
  expect(await attempts('AML.T0051')).toBe(before + 1)
})
