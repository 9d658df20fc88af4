import { AsyncLocalStorage } from 'node:async_hooks'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, type MockInstance, test, vi } from 'vitest'
import { type TestAnswer, TestClient } from '../../../../test/support/client.ts'
import { openTestDatabase, type TestDatabase } from '../../../../test/support/database.ts'
import { accept, password } from '../../../../test/support/world.ts'
import { schemaOf } from '../../../kernel/assembly/schema.ts'
import { loadConfig } from '../../../kernel/config/load.ts'
import type { Driver } from '../../../kernel/db/port.ts'
import { modules } from '../../../modules.ts'
import { type Program, startProgram } from '../../../program.ts'
import type { IamServices } from '../services/iam-services.ts'

let folder: string
let database: TestDatabase
let program: Program
let stranger: TestClient
let admin: TestClient
let viewer: string
/** Statements sent on behalf of the watched call; loops and jobs send statements of their own at any time. */
const watched = new AsyncLocalStorage<string[]>()
let verify: MockInstance<IamServices['passwords']['verify']>

/** Records the statements of the watched call. */
function recording(driver: Driver): Driver {
  const acquire: Driver['acquire'] = async () => {
    const session = await driver.acquire()
    const run: typeof session.run = (sent) => {
      watched.getStore()?.push(...sent.map(({ text }) => text.trim()).filter((text) => text.includes('iam_')))
      return session.run(sent)
    }
    return { run, cancel: () => session.cancel(), release: (broken) => session.release(broken) }
  }
  return {
    kind: driver.kind,
    acquire,
    script: (text) => driver.script(text),
    stats: () => driver.stats(),
    close: () => driver.close(),
  }
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parapet-sameness-'))
  database = await openTestDatabase(schemaOf(modules))
  const config = loadConfig({ PARAPET_DATA_DIR: folder, PARAPET_LOG_LEVEL: 'silent', PARAPET_ACCESS_LOG: 'false' })
  program = await startProgram({ config, driver: recording(database.driver) })
  const iam = program.assembled.modules.servicesOf('iam') as IamServices
  verify = vi.spyOn(iam.passwords, 'verify')
  await iam.bootstrapUnattended({ email: 'admin@acme.example', password })
  stranger = new TestClient(program.app, () => [], '')
  const { body } = await stranger.post('/auth/login', { email: 'admin@acme.example', password })
  admin = stranger.with(body.data.access_token)
  viewer = (await admin.get('/iam/roles?q=viewer')).body.data[0].id
})
afterAll(async () => {
  await program.stop()
  await database.close()
  await rm(folder, { recursive: true, force: true })
})

async function person(name: string, status?: 'suspended' | 'deactivated'): Promise<void> {
  const made = await admin.post('/iam/users', { email: `${name}@acme.example`, role_ids: [viewer] })
  await accept(stranger, made.body.data.invitation_url)
  if (status !== undefined) await admin.patch(`/iam/users/${made.body.data.id}`, { status })
}

async function askedBy(call: () => Promise<TestAnswer>) {
  const asked: string[] = []
  return { answer: await watched.run(asked, call), asked }
}

/** The statements, and how many passwords were verified. */
async function refusedWith(email: string, secret: string) {
  verify.mockClear()
  const { asked, answer } = await askedBy(() => stranger.post('/auth/login', { email, password: secret }))
  expect(answer.body.error_code).toBe('AUTH-007')
  return { asked, verified: verify.mock.calls.length }
}

test('C05 a refused sign-in asks the database the same and verifies once, whatever the reason', async () => {
  await person('known')
  await person('suspended', 'suspended')
  await person('deactivated', 'deactivated')
  await admin.post('/iam/users', { email: 'invited@acme.example', role_ids: [viewer] })
  const unknown = await refusedWith('nobody@acme.example', password)
  expect(unknown.asked.length).toBeGreaterThan(3)
  expect(unknown.verified).toBe(1)
  expect(await refusedWith('known@acme.example', 'wrong')).toEqual(unknown)
  expect(await refusedWith('suspended@acme.example', password)).toEqual(unknown)
  expect(await refusedWith('deactivated@acme.example', password)).toEqual(unknown)
  expect(await refusedWith('invited@acme.example', password)).toEqual(unknown)
})

test('C05 the look-up of single sign-on asks and answers the same for who is here and who is not', async () => {
  const looked = async (email: string) => {
    const { asked, answer } = await askedBy(() => stranger.get('/auth/sso/discover', { query: { email } }))
    return { asked, data: answer.body.data }
  }
  const unknown = await looked('nobody.at.all@acme.example')
  expect(unknown.data).toEqual({ method: 'password' })
  expect(unknown.asked.length).toBeGreaterThan(0)
  expect(await looked('admin@acme.example')).toEqual(unknown)
})

test('C05 options of passkeys tell nothing about accounts to who forges a token for them', async () => {
  const { body } = await admin.get('/auth/me')
  const { user, tenant } = body.data
  const ends = Math.floor(Date.now() / 1000) + 300
  const forged = (userId: string) => [tenant.id, userId, ends, 'A'.repeat(43)].join('.')
  for (const [path, member] of [
    ['registration-options', 'enrollment_token'],
    ['authentication-options', 'challenge'],
  ] as const) {
    const askedFor = async (userId: string) => {
      const body = { [member]: forged(userId) }
      const { asked, answer } = await askedBy(() => stranger.post(`/auth/passkeys/${path}`, body))
      expect([path, answer.body.error_code]).toEqual([path, 'AUTH-002'])
      return asked
    }
    const unknown = await askedFor('01890000-0000-7000-8000-000000000000')
    expect(unknown.length).toBeGreaterThan(0)
    expect(await askedFor(user.id)).toEqual(unknown)
  }
  // Without an address there is no person the answer could be about.
  const { challenge: _random, ...rest } = (await stranger.post('/auth/passkeys/authentication-options', {})).body.data
  expect(rest.allowCredentials).toEqual([])
})
