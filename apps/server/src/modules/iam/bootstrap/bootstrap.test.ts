import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import { TestClient } from '../../../../test/support/client.ts'
import { openTestDatabase, type TestDatabase } from '../../../../test/support/database.ts'
import { password } from '../../../../test/support/world.ts'
import { platformTenant } from '../../../kernel/access/platform-tenant.ts'
import { schemaOf } from '../../../kernel/assembly/schema.ts'
import { loadConfig } from '../../../kernel/config/load.ts'
import { type Sql, sql } from '../../../kernel/db/sql.ts'
import { modules } from '../../../modules.ts'
import { type Program, startProgram } from '../../../program.ts'
import type { IamServices } from '../services/iam-services.ts'

const folders: string[] = []
let database: TestDatabase
let program: Program
let iam: IamServices
let stranger: TestClient

/** A start of the server on a database that has no administrator yet. */
beforeEach(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'parapet-bootstrap-'))
  folders.push(folder)
  database = await openTestDatabase(schemaOf(modules))
  const config = loadConfig({
    PARAPET_DATA_DIR: folder,
    PARAPET_LOG_LEVEL: 'silent',
    PARAPET_ACCESS_LOG: 'false',
    PARAPET_RATE_LIMIT_CREDENTIAL: '1000000',
  })
  program = await startProgram({ config, driver: database.driver, checkEvents: true })
  iam = program.assembled.modules.servicesOf('iam') as IamServices
  stranger = new TestClient(program.app, () => [], '')
})
afterEach(async () => {
  await program.stop()
  await database.close()
})
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))))

const body = (token: string | null) => ({
  setup_token: token,
  tenant: { name: 'Root', slug: 'root' },
  admin: { email: 'first@root.example', password },
})
const bootstrap = async (token: string | null, change: object = {}) =>
  stranger.post('/auth/bootstrap', { ...body(token), ...change })
const rowsOf = (text: Sql) => program.assembled.kernel.db.read(platformTenant, text)

describe('before the first administrator', () => {
  test('everything but the bootstrap answers 503', async () => {
    for (const path of ['/auth/me', '/iam/users']) expect((await stranger.get(path)).body.error_code).toBe('API-009')
    expect((await stranger.post('/auth/login', { email: 'a@b.example', password })).status).toBe(503)
  })

  test('the token makes tenant and operator, who can sign in', async () => {
    const { token } = await iam.ensureSetup()
    const made = await bootstrap(token)
    expect(made.status).toBe(201)
    expect(made.body.data.user).toMatchObject({ email: 'first@root.example', role: 'super_admin' })
    expect((await stranger.post('/auth/login', { email: 'FIRST@Root.example', password })).status).toBe(200)
  })

  test('the token is stored as a digest only', async () => {
    const { token } = await iam.ensureSetup()
    const stored = await rowsOf(sql`select * from iam_setup`)
    expect(JSON.stringify(stored)).not.toContain(token ?? 'none')
    expect(token).toHaveLength(43)
  })

  test('a wrong token and one past its hour are refused', async () => {
    const { token } = await iam.ensureSetup()
    const wrong = await bootstrap('wrong')
    expect(wrong.body.error_code).toBe('AUTH-002')
    expect(wrong.body.errors).toMatchObject([{ pointer: '/setup_token', detail: expect.stringContaining('newest') }])
    await program.assembled.kernel.db.tenant({ tenantId: platformTenant }, (tx) =>
      tx.execute(sql`update iam_setup set token_expires_at = ${new Date(Date.now() - 1).toISOString()}`),
    )
    expect((await bootstrap(token)).body.error_code).toBe('AUTH-003')
  })

  test('a new start makes a new token and the old one is worth nothing', async () => {
    const old = await iam.ensureSetup()
    const now = await iam.ensureSetup()
    expect((await bootstrap(old.token)).body.error_code).toBe('AUTH-002')
    expect((await bootstrap(now.token)).status).toBe(201)
  })

  test('a weak password is refused with reasons and leaves nothing behind', async () => {
    const { token } = await iam.ensureSetup()
    const refused = await bootstrap(token, { admin: { email: 'first@root.example', password: 'hush, kitten' } })
    expect(refused.body).toMatchObject({ status: 422, error_code: 'IAM-002', reasons: ['too_short'] })
    expect(await rowsOf(sql`select id from iam_tenant`)).toEqual([])
  })
})

test('of fifty bootstraps at once one succeeds and 49 come too late', async () => {
  const { token } = await iam.ensureSetup()
  const answers = await Promise.all(Array.from({ length: 50 }, () => bootstrap(token)))
  const codes = answers.map((answer) => (answer.status === 201 ? 'made' : answer.body.error_code))
  expect(codes.filter((code) => code === 'made')).toHaveLength(1)
  expect(codes.filter((code) => code === 'AUTH-012')).toHaveLength(49)
  expect(await rowsOf(sql`select id from iam_tenant`)).toHaveLength(1)
})

describe('an unattended start', () => {
  test('makes the administrator once and later does nothing', async () => {
    const admin = { email: 'ops@root.example', password }
    await iam.bootstrapUnattended(admin)
    await iam.bootstrapUnattended({ ...admin, email: 'other@root.example' })
    expect(await iam.ensureSetup()).toEqual({ token: null })
    expect((await stranger.post('/auth/login', admin)).status).toBe(200)
    expect((await stranger.post('/auth/login', { ...admin, email: 'other@root.example' })).status).toBe(401)
  })

  test('holds its password to the policy', async () => {
    await expect(iam.bootstrapUnattended({ email: 'ops@root.example', password: 'password' })).rejects.toMatchObject({
      code: 'IAM-002',
    })
  })
})
