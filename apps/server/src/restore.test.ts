import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestDatabase } from '../test/support/database.ts'
import { expectStatus, openWorld, password } from '../test/support/world.ts'
import { pathOf } from './kernel/backup/store.ts'
import { loadConfig } from './kernel/config/load.ts'
import { startProgram } from './program.ts'
import { restore } from './restore.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parapet-restore-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const key = () => Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64')

test('an installation comes back from its backup and its key: people sign in, secrets open, the log verifies', async () => {
  const environment = {
    PARAPET_DATA_DIR: folder,
    PARAPET_BACKUP_DIR: join(folder, 'backups'),
    PARAPET_KEY_ENCRYPTION_KEY: key(),
    PARAPET_LOG_LEVEL: 'silent',
    PARAPET_ACCESS_LOG: 'false',
  }
  const world = await openWorld({ environment })
  const tenant = await world.tenant('phoenix')
  const scopes = { name: 'Kept', scopes: ['admin:read', 'iam:read'] }
  const { secret } = expectStatus(await tenant.admin.post('/iam/api-keys', scopes), 201).body.data
  const make = async (client: typeof tenant.admin, kind: string): Promise<string> => {
    const { id } = expectStatus(await client.post('/admin/backups', { kind }), 201).body.data
    const read = async () => (await client.get('/admin/backups', { query: { id } })).body.data[0].status
    await expect.poll(read, { timeout: 30_000 }).toBe('completed')
    return pathOf(environment.PARAPET_BACKUP_DIR, id)
  }
  const [full, part] = [await make(world.operator, 'full'), await make(tenant.admin, 'tenant')]
  await world.close()

  const config = loadConfig(environment)
  const { driver } = await openTestDatabase({ tables: [], migrations: [] }, 'pglite')
  const other = loadConfig({ ...environment, PARAPET_KEY_ENCRYPTION_KEY: key() })
  await expect(restore(other, full, driver)).rejects.toThrow('another key-encryption key')
  await expect(restore(config, part, driver)).rejects.toThrow('of one tenant')
  expect((await restore(config, full, driver)).preface.kind).toBe('full')
  await expect(restore(config, full, driver)).rejects.toThrow('not empty')

  const program = await startProgram({ config, driver })
  try {
    const call = async (method: 'GET' | 'POST', path: string, body?: object, token?: string) => {
      const answer = await program.app.inject({
        method,
        url: `/api/v1${path}`,
        headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
        ...(body === undefined ? {} : { payload: body }),
      })
      return { status: answer.statusCode, body: answer.json() }
    }
    const login = { email: 'operator@root.example', password }
    expect((await call('POST', '/auth/login', login)).status).toBe(200)
    expect((await call('GET', '/iam/users', undefined, secret)).body.data).toHaveLength(1)
    const verdict = await call('POST', '/admin/audit-logs/verify', {}, secret)
    expect(verdict.body.data).toMatchObject({ verified: true, reason: null })
  } finally {
    await program.stop()
  }
})
