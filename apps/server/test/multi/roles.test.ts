/** An installation divided over three processes on PostgreSQL: one accepts work, another moves it, a third does it. */
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { reasonToSkip, titleOf } from '../../src/kernel/testing/services.ts'
import { openTestDatabase, serverUrl, type TestDatabase } from '../support/database.ts'
import { call, expectCall, signIn } from '../support/http.ts'
import { type Installation, install, operatorEmail, type RunningServer } from '../support/server-process.ts'
import { openEventSocket } from './event-socket.ts'

const skip = await reasonToSkip(serverUrl)
const patience = { timeout: 30_000, interval: 50 }

describe.skipIf(skip !== null)(titleOf('three processes with a role each', skip), () => {
  let database: TestDatabase
  let installation: Installation
  let api: RunningServer
  let worker: RunningServer
  let relay: RunningServer
  let token: string

  const start = (role: string): Promise<RunningServer> =>
    installation.start({
      PARAPET_ROLE: role,
      PARAPET_DATA_DIR: join(installation.environment.PARAPET_DATA_DIR ?? '', role),
    })

  beforeAll(async () => {
    database = await openTestDatabase({ tables: [], migrations: [] }, 'pg')
    installation = await install({
      PARAPET_DATABASE_URL: database.url ?? '',
      PARAPET_KEY_ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    })
    api = await start('api')
    token = await signIn(api.address, operatorEmail)
  })
  afterAll(async () => {
    await installation?.remove()
    await database?.close()
  })

  const surface = async ({ address }: RunningServer, path: string) => {
    const answer = await fetch(`${address}${path}`)
    return [answer.status, answer.status === 404 ? null : await answer.json()]
  }
  const makeKey = (name: string): Promise<{ readonly id: string }> =>
    expectCall(api.address, '/iam/api-keys', {
      method: 'POST',
      token,
      body: { name, scopes: ['iam:read'] },
      status: 201,
    }).then(({ data }) => data)

  it('move no event before there is a relay, and lose none', async () => {
    const socket = await openEventSocket(api.address, token, ['iam.api_key.created'])
    const early = await makeKey('Early')
    expect(socket.events).toEqual([])
    relay = await start('relay')
    const late = await makeKey('Late')
    const heard = () => socket.events.map(({ data }) => data.api_key_id)
    await expect.poll(heard, patience).toEqual([early.id, late.id])
    socket.close()
  })

  it('run no job before there is a worker, and run it then', async () => {
    const jobs = async () =>
      (await expectCall(api.address, '/admin/jobs?kind=admin.keys.reseal', { token, status: 200 })).data
    const rotate = await call(api.address, '/admin/keys/rotate', { method: 'POST', token, body: { purpose: 'data' } })
    expect(rotate.status).toBe(200)
    const reseal = async () => (await jobs())[0]?.status
    expect(await reseal()).toBe('queued')
    worker = await start('worker')
    await expect.poll(reseal, patience).toBe('completed')
  })

  it('say which role they have, and only one serves the API', async () => {
    for (const [server, role] of [
      [api, 'api'],
      [worker, 'worker'],
      [relay, 'relay'],
    ] as const) {
      expect(await surface(server, '/healthz')).toEqual([200, { status: 'ok', role }])
      await expect.poll(() => surface(server, '/readyz'), patience).toEqual([200, { status: 'ready', role }])
    }
    for (const server of [worker, relay]) {
      expect((await call(server.address, '/iam/users', { token })).status).toBe(404)
      expect((await surface(server, '/openapi.json'))[0]).toBe(404)
    }
  })

  it('go on without the one that was killed, when another takes its place', async () => {
    await relay.signal('SIGKILL')
    const socket = await openEventSocket(api.address, token, ['iam.api_key.created'])
    const made = await makeKey('Meanwhile')
    relay = await start('relay')
    await expect.poll(() => socket.events.map(({ data }) => data.api_key_id), patience).toContain(made.id)
    socket.close()
  })
})
