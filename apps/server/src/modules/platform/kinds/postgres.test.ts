/** A real PostgreSQL of somebody else: in continuous integration it has to be there. */
import { randomUUID } from 'node:crypto'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isAvailable, serverUrl } from '../../../../test/support/database.ts'
import { expectStatus, openWorld, type TestTenant, type World } from '../../../../test/support/world.ts'

describe.skipIf(!(await isAvailable('pg')))('rows in a PostgreSQL of the tenant', () => {
  let world: World
  let tenant: TestTenant
  let there: Client
  const { hostname, port, pathname, username, password } = new URL(serverUrl)
  const table = `parapet_outside_${randomUUID().slice(0, 8)}`
  const config = {
    ...{ host: hostname === 'localhost' ? '127.0.0.1' : hostname, port: Number(port || 5432) },
    ...{ database: pathname.slice(1) || 'postgres', tls: false, table },
  }
  const credentials = { user: username, ...(password === '' ? {} : { password: decodeURIComponent(password) }) }

  beforeAll(async () => {
    there = new Client({ connectionString: serverUrl })
    await there.connect()
    world = await openWorld()
    tenant = await world.tenant('platform-postgres')
  })
  afterAll(async () => {
    await there?.query(`drop table if exists ${table}`)
    await there?.end()
    await world?.close()
  })

  const save = (body: object) => tenant.admin.post('/platform/integrations', { kind: 'postgres', config, ...body })
  const send = (id: string, body: object) => tenant.admin.post(`/platform/integrations/${id}/deliveries`, body)
  const rows = async () => (await there.query(`select * from ${table} order by channel`)).rows
  const log = async (id: string, query: Record<string, string> = {}) =>
    expectStatus(await tenant.admin.get(`/platform/integrations/${id}/deliveries`, { query }), 200).body.data

  test('an event is a row, once, however often it is delivered', async () => {
    const body = { name: 'warehouse', credentials, events: ['iam.api_key.created'] }
    const { id } = expectStatus(await save(body), 201).body.data
    const key = { name: "It's a key; drop table x", scopes: ['trust:read'] }
    expectStatus(await tenant.admin.post('/iam/api-keys', key), 201)
    await expect.poll(async () => (await log(id))[0]?.status, { timeout: 20_000 }).toBe('delivered')
    const [delivery] = await log(id)
    expect(delivery.attempts).toMatchObject([{ error: null, response_excerpt: 'The row was added.' }])
    const [row] = await rows()
    expect(row).toMatchObject({ tenant_id: tenant.id, channel: 'iam.api_key.created', severity: 'info' })
    expect(row.event_id).toBe(row.event.id)
    expect(row.event).toMatchObject({ specversion: '1.0', channel: 'iam.api_key.created' })
    expectStatus(await send(id, { kind: 'replay', delivery_ids: [delivery.id] }), 202)
    await expect.poll(async () => (await log(id))[0]?.attempts.length, { timeout: 20_000 }).toBe(2)
    expect((await log(id))[0].attempts[1].response_excerpt).toBe('The row was there already.')
    expect(await rows()).toHaveLength(1)
    expectStatus(await send(id, { kind: 'test' }), 201)
    expect((await rows()).map(({ channel }) => channel)).toEqual([
      ...['iam.api_key.created', 'platform.notification.created'],
    ])
  })

  test('a table that is not of this form, and a database that is not there, are told as they are', async () => {
    await there.query(`create table ${table}_other (event_id text)`)
    try {
      const wrong = { name: 'wrong', config: { ...config, table: `${table}_other` }, credentials }
      const { id } = expectStatus(await save(wrong), 201).body.data
      const refused = await send(id, { kind: 'test' })
      expect([refused.status, refused.body.error_code]).toEqual([502, 'PLAT-021'])
      expect(refused.body.detail).toContain('occurred_at')
      const none = { name: 'none', config: { ...config, database: 'there_is_none' }, credentials }
      const { id: noneId } = expectStatus(await save(none), 201).body.data
      expect((await send(noneId, { kind: 'test' })).body.detail).toContain('there_is_none')
    } finally {
      await there.query(`drop table ${table}_other`)
    }
  })
})
