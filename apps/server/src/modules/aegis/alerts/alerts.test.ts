import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readFact } from '../../../../test/support/facts.ts'
import { expectStatus, openWorld, type TestTenant, type World } from '../../../../test/support/world.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { aegisSignals } from '../signals.ts'
import { openAlert } from './open-alert.ts'
import { keepAlerts } from './upkeep.ts'

let world: World
let tenant: TestTenant
beforeAll(async () => {
  world = await openWorld()
  tenant = await world.tenant('aegis-alerts')
})
afterAll(() => world?.close())

const inTenant = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => world.kernel.db.tenant({ tenantId: tenant.id }, work)

let service = 0
const open = (over: object = {}) => {
  service += 1
  return inTenant((tx) => openFor(tx, `s${service}`, over))
}

const openFor = (tx: Tx, id: string, over: object = {}) =>
  openAlert(world.kernel, tx, {
    rule: 'shadow_service_banned',
    groupBy: { service_id: id },
    entities: [{ type: 'ai_service', id, name: 'Chat' }],
    evidence: [
      { id: `${id}-1`, source: 'shadow_ai', at: world.kernel.clock.iso(), request_id: null, summary: '3 users' },
    ],
    ...over,
  })

const idOf = async (opened: ReturnType<typeof open>): Promise<string> => {
  const alert = await opened
  if (alert === null) throw new Error('There is no alert')
  return alert.id
}

const read = async (id: string) => expectStatus(await tenant.admin.get(`/aegis/alerts/${id}`), 200).body.data
const patch = (id: string, body: object) => tenant.admin.patch(`/aegis/alerts/${id}`, body)

describe('an alert', () => {
  test('counts hits of the same group, opens one for each other group, and tells of both', async () => {
    const id = await idOf(open({ count: 2 }))
    expect(await inTenant((tx) => openFor(tx, `s${service}`, { count: 3 }))).toMatchObject({ id, opened: false })
    expect(await idOf(open())).not.toBe(id)
    expect(await read(id)).toMatchObject({ count: 5, status: 'new', severity: 'high', tags: ['LLM02', 'LLM03'] })
    const told = async () => {
      const events = await world.kernel.db.read(
        tenant.id,
        sql<{ channel: string; data: { alert_id: string; count: number } }>`
          select channel, data from event_log where data ->> 'alert_id' = ${id} order by position`,
      )
      return events.map(({ channel, data }) => [channel, data.count])
    }
    await expect.poll(told).toEqual([
      ['aegis.alert.created', 2],
      ['aegis.alert.updated', 5],
    ])
  })

  test('is one however many open it at the same time', async () => {
    const opened = await Promise.all(Array.from({ length: 8 }, () => inTenant((tx) => openFor(tx, 'same'))))
    expect(opened.filter((alert) => alert?.opened)).toHaveLength(1)
    expect((await read(opened[0]?.id ?? '')).count).toBe(8)
  })

  test('moves along its states, with a resolution and a timeline', async () => {
    const id = await idOf(open())
    expectStatus(await patch(id, { status: 'resolved' }), 409)
    expectStatus(await patch(id, { status: 'triaged', comment: 'I look at it' }), 200)
    expectStatus(await patch(id, { status: 'in_progress' }), 200)
    expect(expectStatus(await patch(id, { status: 'resolved', comment: 'Done' }), 422).body.error_code).toBe(
      'AEGIS-019',
    )
    const resolved = { status: 'resolved', resolution: 'true_positive', comment: 'Service is off' }
    expect(expectStatus(await patch(id, resolved), 200).body.data).toMatchObject({ resolution: 'true_positive' })
    expectStatus(await patch(id, { status: 'in_progress', comment: 'It is back' }), 200)
    const { timeline, resolution, acknowledged_at } = await read(id)
    expect(resolution).toBeNull()
    expect(acknowledged_at).not.toBeNull()
    expect(timeline.map(({ kind, to, comment }: Record<string, unknown>) => [kind, to, comment])).toEqual([
      ['opened', 'new', null],
      ['status', 'triaged', 'I look at it'],
      ['status', 'in_progress', null],
      ['status', 'resolved', 'Service is off'],
      ['status', 'in_progress', 'It is back'],
    ])
  })

  test('is assigned to people of the tenant, commented and graded', async () => {
    const id = await idOf(open())
    const me = expectStatus(await tenant.admin.get('/auth/me'), 200).body.data.user.id
    const body = { assignee_user_id: me, severity: 'critical', comment: 'Mine' }
    const { sla, timeline } = expectStatus(await patch(id, body), 200).body.data
    expect(Date.parse(sla.resolve_due) - Date.parse((await read(id)).created_at)).toBe(4 * 3_600_000)
    expect(timeline.map(({ kind }: { kind: string }) => kind)).toEqual(['opened', 'assignee', 'severity'])
    expectStatus(await patch(id, { assignee_user_id: '0198a000-0000-7000-8000-000000000001' }), 400)
    expectStatus(await patch(id, { resolution: 'duplicate' }), 400)
    const found = expectStatus(await tenant.admin.get('/aegis/alerts', { query: { assignee_user_id: me } }), 200)
    expect(found.body.data.map((alert: { id: string }) => alert.id)).toEqual([id])
  })

  test('does not open again before its cool-down is over', async () => {
    const id = await idOf(open())
    const group = `s${service}`
    for (const status of ['triaged', 'in_progress']) expectStatus(await patch(id, { status }), 200)
    const resolved = { status: 'resolved', resolution: 'false_positive', comment: 'A test' }
    expectStatus(await patch(id, resolved), 200)
    expectStatus(await patch(id, { status: 'closed' }), 200)
    expect(await inTenant((tx) => openFor(tx, group))).toMatchObject({ id, status: 'closed' })
    expect((await read(id)).count).toBe(2)
    await inTenant((tx) =>
      tx.execute(sql`update aegis_alert set closed_at = closed_at - interval '2 hours' where id = ${id}`),
    )
    expect(await inTenant((tx) => openFor(tx, group))).toMatchObject({ opened: true })
  })

  test('is suppressed with a reason and an end, and hits like it are counted at the rule', async () => {
    const id = await idOf(open())
    const group = `s${service}`
    const inDays = (days: number) => new Date(world.kernel.clock.now() + days * 86_400_000).toISOString()
    const suppress = { reason: 'Known until the contract ends', expires_at: inDays(30) }
    expectStatus(await patch(id, { suppress: { ...suppress, expires_at: inDays(91) } }), 400)
    expectStatus(await patch(id, { status: 'suppressed' }), 400)
    expect(expectStatus(await patch(id, { suppress }), 200).body.data).toMatchObject({ status: 'suppressed' })
    expect(await inTenant((tx) => openFor(tx, group, { count: 7 }))).toBeNull()
    const { rule_id } = await read(id)
    const rules = expectStatus(await tenant.admin.get('/aegis/detection-rules', { query: { q: 'Banned' } }), 200).body
      .data
    const rule = rules.find((one: { id: string }) => one.id === rule_id)
    expect(rule.suppressions).toEqual([expect.objectContaining({ hits: 7, match: { service_id: group } })])
    expectStatus(await tenant.admin.patch(`/aegis/detection-rules/${rule_id}`, { suppressions: [] }), 200)
    expect(await inTenant((tx) => openFor(tx, group))).toMatchObject({ id, opened: false })
  })

  test('is of no use to another tenant', async () => {
    const id = await idOf(open())
    const other = await world.tenant('aegis-alerts-other')
    expectStatus(await other.admin.get(`/aegis/alerts/${id}`), 404)
    expectStatus(await other.admin.patch(`/aegis/alerts/${id}`, { status: 'triaged' }), 404)
    const viewer = await tenant.as('viewer')
    expectStatus(await viewer.patch(`/aegis/alerts/${id}`, { status: 'triaged' }), 403)
  })
})

test('time records what is late, closes what was resolved a week ago, and counts in evidence and facts', async () => {
  const [late, resolved] = [await idOf(open({ severity: 'critical' })), await idOf(open())]
  for (const status of ['triaged', 'in_progress']) expectStatus(await patch(resolved, { status }), 200)
  expectStatus(await patch(resolved, { status: 'resolved', resolution: 'true_positive', comment: 'Off' }), 200)
  await inTenant(async (tx) => {
    await tx.execute(sql`
      update aegis_alert set ack_due = ack_due - interval '5 hours', resolve_due = resolve_due - interval '5 hours',
        due_at = due_at - interval '5 hours' where id = ${late}`)
    await tx.execute(sql`
      update aegis_alert set resolved_at = resolved_at - interval '8 days', resolve_due = resolve_due - interval '8 days',
        due_at = due_at - interval '8 days' where id = ${resolved}`)
    await keepAlerts(world.kernel, tx)
  })
  expect(await read(late)).toMatchObject({ sla: { breached: ['acknowledge', 'resolve'] }, status: 'new' })
  expect(await read(resolved)).toMatchObject({ status: 'closed', resolution: 'true_positive' })
  const breached = await tenant.admin.get('/aegis/alerts', { query: { sla: 'breached' } })
  expect(breached.body.data.map(({ id }: { id: string }) => id)).toEqual([late])
  const { signals } = await inTenant((tx) => aegisSignals(tx, world.kernel.clock.iso()))
  const sla = signals.find(({ id }) => id === 'alert_sla')
  const pressure = signals.find(({ id }) => id === 'anomaly_pressure')
  expect(sla).toMatchObject({ id: 'alert_sla', n: expect.any(Number) })
  expect((sla?.n ?? 0) - (sla?.good ?? 0)).toBe(1)
  expect(pressure?.events?.map(({ id }) => id)).toContain(`alert:${late}`)
  expect(pressure?.events?.find(({ id }) => id === `alert:${resolved}`)).toHaveProperty('closed_at')
  const fact = await readFact(world, tenant.id, 'aegis.alerts')
  expect(fact).toMatchObject({ open_breached: 1, closed_in_sla_30d: expect.any(Number) })
})

describe('the export', () => {
  const pull = (query: Record<string, string>, accept: string) =>
    tenant.admin.get('/aegis/alerts/export', { query, headers: { accept } })

  test('is a file of findings, and goes on where the last one ended', async () => {
    const ids = [await idOf(open()), await idOf(open())]
    await inTenant((tx) => tx.execute(sql`update aegis_alert set updated_at = updated_at - interval '10 seconds'`))
    const first = expectStatus(await pull({}, 'application/x-ndjson'), 200)
    const findings = first.text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(findings.every(({ class_uid }) => class_uid === 2004)).toBe(true)
    expect(findings.map(({ finding_info }) => finding_info.uid)).toEqual(expect.arrayContaining(ids))
    const cursor = first.headers['x-next-cursor'] ?? ''
    expect(expectStatus(await pull({ cursor }, 'application/x-ndjson'), 200).text).toBe('')
    expectStatus(await patch(ids[0] ?? '', { comment: 'More' }), 200)
    const again = expectStatus(await pull({ cursor }, 'application/x-ndjson'), 200)
    expect(JSON.parse(again.text)).toMatchObject({ finding_info: { uid: ids[0] }, activity_id: 2 })
  })

  test('is lines of CEF and syslog, and a page without a file', async () => {
    expect(expectStatus(await pull({}, 'text/plain'), 200).text).toMatch(/^CEF:0\|Parapet\|/)
    expect(expectStatus(await pull({ format: 'syslog' }, 'text/plain'), 200).text).toMatch(/^<11\d>1 /)
    expect(expectStatus(await pull({ format: 'ocsf' }, 'text/plain'), 400).body.error_code).toBe('API-001')
    const page = expectStatus(await pull({ limit: '2' }, 'application/json'), 200).body
    expect(page.data).toHaveLength(2)
    const forged = `${page.meta.pagination.cursor.slice(0, -2)}xx`
    expectStatus(await pull({ cursor: forged }, 'application/x-ndjson'), 400)
  })
})
