import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CuttableProxy } from '../../src/kernel/testing/cuttable-proxy.ts'
import { failuresOf, refusalIn } from '../generated/each-route.ts'
import { type DeclaredRoute, fill, isPublic } from '../generated/manifest.ts'
import { sampleBody } from '../generated/samples.ts'
import type { TestAnswer, TestClient } from '../support/client.ts'
import { type CuttableWorld, openCuttableWorld } from '../support/cuttable-world.ts'
import { isAvailable } from '../support/database.ts'
import { expectStatus, type World } from '../support/world.ts'
import { needless } from './needless.ts'

const ids = new Proxy<Record<string, string>>({}, { get: () => randomUUID() })
const away = '503 API-009'
const unrecorded = '503 GW-020'
const recovery = { timeout: 30_000, interval: 50 }

describe.skipIf(!(await isAvailable('pg')))('the database server out of reach (skipped where there is none)', () => {
  let opened: CuttableWorld | undefined
  let proxy: CuttableProxy
  let world: World
  let admin: TestClient
  let roleId: string

  beforeAll(async () => {
    opened = await openCuttableWorld()
    ;({ world, proxy } = opened)
    admin = (await world.tenant('alpha')).admin
    roleId = expectStatus(await admin.get('/iam/roles'), 200).body.data[0].id
  })
  afterAll(() => opened?.close())

  const call = (declared: DeclaredRoute): Promise<TestAnswer> =>
    (isPublic(declared) ? world.stranger : admin).send(declared.route.method, fill(declared.path, ids), {
      body: sampleBody(declared, ids),
      options: {},
    })
  const createUser = (key: string): Promise<TestAnswer> =>
    admin.post('/iam/users', { type: 'service', role_ids: [roleId] }, { headers: { 'idempotency-key': key } })
  const countUsers = async (): Promise<number> =>
    expectStatus(await admin.get('/iam/users'), 200).body.meta.pagination.total_count
  const readiness = async (): Promise<number> => (await world.program.app.inject('/readyz')).statusCode

  const recovered = async (): Promise<void> => {
    await expect.poll(readiness, recovery).toBe(200)
    await expect.poll(async () => (await admin.get('/iam/users')).status, recovery).toBe(200)
  }

  it('is ready before', async () => {
    expect(await readiness()).toBe(200)
  })

  it('answers 503 API-009 on every route that needs it, says it is not ready, and recovers by itself', async () => {
    const before = await countUsers()
    proxy.cut()
    const cutAt = performance.now()
    // From five seconds into an outage on no caller can be authenticated, which is checked before anything else.
    const isLate = (): boolean => performance.now() - cutAt > 4_000
    const ready = await world.program.app.inject('/readyz')
    expect([ready.statusCode, ready.json()]).toEqual([503, { status: 'unready', reasons: ['database'] }])
    expect((await world.program.app.inject('/healthz')).statusCode).toBe(200)
    const failures = await failuresOf(
      () => true,
      async (declared) => {
        const { status, body, text } = await call(declared)
        const wanted = needless[declared.name] ?? away
        const got = `${status} ${refusalIn(body).code ?? ''}`.trim()
        const isUnproven = got === away && (wanted === unrecorded || (isLate() && !isPublic(declared)))
        return got === wanted || isUnproven ? [] : [`${text}, not ${wanted}`]
      },
    )
    expect(failures).toEqual([])
    proxy.mend()
    await recovered()
    expect(await countUsers()).toBe(before)
    expectStatus(await createUser('after'), 201)
  })

  it('leaves no doubt about calls that were cut: the same key makes each of them happen once', async () => {
    const before = await countUsers()
    const keys = Array.from({ length: 40 }, (_, number) => `cut-${number}`)
    let answered = 0
    const answers = keys.map(async (key) => {
      const { status } = await createUser(key)
      answered += 1
      if (answered === 5) proxy.cut()
      return status
    })
    const statuses = await Promise.all(answers)
    expect(statuses.filter((status) => status !== 201 && status !== 503)).toEqual([])
    expect(statuses).toContain(503)
    proxy.mend()
    await recovered()
    for (const key of keys) expectStatus(await createUser(key), 201)
    expect(await countUsers()).toBe(before + keys.length)
  })

  it('answers 503 when the server says nothing at all any more, and recovers by itself', async () => {
    proxy.hang()
    const answers = await Promise.all([
      admin.get('/iam/users'),
      createUser('silent'),
      world.program.app.inject('/readyz'),
    ])
    expect(answers.map((answer) => ('status' in answer ? answer.status : answer.statusCode))).toEqual([503, 503, 503])
    // Connections that hang do not come back when the network does.
    proxy.cut()
    proxy.mend()
    await recovered()
    expectStatus(await createUser('silent'), 201)
  })
})
