/** Two instances on one database: the one that runs an experiment dies, and the other ends its faults and the experiment. */
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openUpstream, type Upstream } from '../../src/modules/gateway/testing/upstream.ts'
import { isAvailable, openTestDatabase, type TestDatabase } from '../support/database.ts'
import { call } from '../support/http.ts'
import { type Installation, install, type RunningServer } from '../support/server-process.ts'
import { hitRequests, kindsOf, makeTenant, patience, readExperiment, startExperiment, type Tenant } from './people.ts'

/** Each instance listens on an address of its own, by which its name begins. */
const hosts = ['127.0.0.1', '127.0.0.2'] as const

describe.skipIf(!(await isAvailable('pg')))('two instances (skipped where there is no server)', () => {
  let database: TestDatabase
  let installation: Installation
  let upstream: Upstream

  beforeAll(async () => {
    upstream = await openUpstream()
    database = await openTestDatabase({ tables: [], migrations: [] }, 'pg')
    installation = await install({
      PARAPET_DATABASE_URL: database.url ?? '',
      PARAPET_KEY_ENCRYPTION_KEY: randomBytes(32).toString('base64'),
      PARAPET_GATEWAY_PRIVATE_UPSTREAMS: '127.0.0.0/8',
    })
  })
  afterAll(async () => {
    await installation?.remove()
    await upstream?.close()
    await database?.close()
  })

  test('inject alike, and the death of the one that runs the experiment ends the faults of the other', {
    timeout: 300_000,
  }, async () => {
    const folder = installation.environment.PARAPET_DATA_DIR ?? ''
    const servers = new Map<string, RunningServer>()
    for (const host of hosts) {
      const settings = { PARAPET_HOST: host, PARAPET_DATA_DIR: join(folder, host) }
      servers.set(host, await installation.start(settings))
    }
    const [first] = servers.values()
    if (first === undefined) throw new Error('no instance')
    const tenant = await makeTenant(first, 'leased', upstream)
    const id = await startExperiment(first, tenant, {
      faults: [{ seam: 'upstream', kind: 'error', status: 400 }],
      // More than a hundred, so that each instance takes a share.
      ...{ ttl_seconds: 3600, blast_radius: { percentage: 100, max_affected_calls: 100_000 } },
    })
    const armed = async () => kindsOf(await readExperiment(first, tenant, id)).filter((kind) => kind === 'armed').length
    await expect.poll(armed, patience).toBe(2)
    for (const server of servers.values()) expect((await ask(server, tenant)).status).toBe(422)

    const node = await controllerOf(first, tenant, id)
    const controlling = [...servers].find(([host]) => node.startsWith(`${host}-`))
    const other = [...servers].find(([host]) => !node.startsWith(`${host}-`))
    if (controlling === undefined || other === undefined) throw new Error(`no instance is ${node}`)
    await controlling[1].signal('SIGKILL')
    const survivor = other[1]
    await expect.poll(async () => (await ask(survivor, tenant)).status, patience).toBe(200)
    await expect.poll(async () => (await readExperiment(survivor, tenant, id)).status, patience).toBe('aborted')
    const later = await ask(survivor, tenant)
    expect(later.status).toBe(200)
    const ended = await readExperiment(survivor, tenant, id)
    expect(ended).toMatchObject({ abort_cause: 'lost contact', verdict: 'inconclusive' })
    expect(hitRequests(ended).has(later.requestId)).toBe(false)
  })
})

const ask = (server: RunningServer, { key }: Tenant) =>
  call(server.address, '/gateway/chat/completions', {
    ...{ method: 'POST', token: key },
    body: { model: 'test-model', messages: [{ role: 'user', content: 'hello' }], cache: { mode: 'off' } },
  })

/** The instance that runs the experiment, as its journal says. */
async function controllerOf(server: RunningServer, tenant: Tenant, id: string): Promise<string> {
  const { journal } = await readExperiment(server, tenant, id)
  const entry = journal.find(({ kind }: { kind: string }) => kind === 'checking')
  return String(entry?.data.node)
}
