import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { DatabaseError as ServerError } from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { schemaOf } from '../../src/kernel/assembly/schema.ts'
import { DatabaseError } from '../../src/kernel/db/errors.ts'
import type { Driver, Session } from '../../src/kernel/db/port.ts'
import { modules } from '../../src/modules.ts'
import { failuresOf, refusalIn } from '../generated/each-route.ts'
import { type DeclaredRoute, fill, isPublic } from '../generated/manifest.ts'
import { sampleBody } from '../generated/samples.ts'
import type { TestAnswer, TestClient } from '../support/client.ts'
import { chosenKind, openTestDatabase } from '../support/database.ts'
import { expectStatus, openWorld, type World } from '../support/world.ts'
import { needless } from './needless.ts'

const ids = new Proxy<Record<string, string>>({}, { get: () => randomUUID() })
const host = 'db-7.internal.example'
const statement = 'SELECT password_hash FROM iam_user WHERE tenant_id = $1'

function refusedStatement(): DatabaseError {
  const cause = Object.assign(new ServerError(`relation "iam_user" does not exist on ${host}`, 100, 'error'), {
    code: '42P01',
    table: 'iam_user',
    detail: 'Failing row contains (5, admin@alpha.example).',
  })
  return new DatabaseError(cause, statement)
}

/** Values that a broken driver or a broken library may throw. */
const thrown: Readonly<Record<string, () => unknown>> = {
  'an error of the database': refusedStatement,
  'an error of the program': () =>
    new TypeError(`Cannot read properties of undefined at /srv/app/iam.js:10:2 (${host})`),
  'an error whose cause tells more': () => new Error(statement, { cause: refusedStatement() }),
  'a text': () => `${statement} failed on ${host}`,
  'a plain object': () => ({ code: 'ECONNRESET', stack: 'at /srv/app/iam.js:10:2', statusCode: 418, message: host }),
  null: () => null,
  nothing: () => undefined,
}

const leaks =
  /at \/|\bat [\w.]+ \(|\.[jt]s:\d|node_modules|select |password_hash|iam_user|internal\.example|42P01|ECONNRESET|stack|\$1/i

/**
 * The settings stand in memory, and a failing driver does not keep anybody from being known; a server is still asked for
 * the other instances, which the embedded database does not have.
 */
const otherwise: Readonly<Record<string, string>> = {
  ...needless,
  // Nothing is asked or recorded: the step that looks the caller up fails closed.
  'POST /api/v1/gateway/anthropic/v1/messages/count_tokens': '503 GW-019',
  ...(chosenKind() === 'pglite' ? { 'GET /api/v1/admin/config': '200' } : {}),
}

interface Fault {
  readonly make: () => unknown
  /** Statements that fail. */
  readonly on: RegExp
}

/**
 * The same driver, but a batch with a statement of the current fault is not sent. The change feed's own look is spared:
 * without it for five seconds, credentials are refused with 503, as they should be, and no route would be reached.
 */
function failing(driver: Driver, current: () => Fault | null, asked: string[]): Driver {
  const spoiled = (session: Session): Session => {
    let feed = false
    return {
      ...session,
      run: async (statements) => {
        const fault = current()
        asked.push(...statements.map(({ text }) => text))
        const has = (word: string): boolean => statements.some(({ text }) => text.includes(word))
        feed = has('from change_feed') || (feed && !has('begin'))
        const hit = statements.some(({ text }) => fault?.on.test(text) ?? false)
        if (fault === null || feed || !hit) return session.run(statements)
        throw fault.make()
      },
    }
  }
  const { acquireToAppend } = driver
  return {
    ...driver,
    acquire: async () => spoiled(await driver.acquire()),
    ...(acquireToAppend !== undefined && { acquireToAppend: async () => spoiled(await acquireToAppend()) }),
  }
}

describe('a driver that throws', () => {
  let fault: Fault | null = null
  const asked: string[] = []
  let world: World
  let admin: TestClient
  let roleId: string

  beforeAll(async () => {
    const database = await openTestDatabase(schemaOf(modules))
    const driver = failing(database.driver, () => fault, asked)
    world = await openWorld({ environment: { PARAPET_LOG_LEVEL: 'silent' }, database: { ...database, driver } })
    admin = (await world.tenant('alpha')).admin
    roleId = expectStatus(await admin.get('/iam/roles'), 200).body.data[0].id
  })
  afterAll(() => world?.close())

  const countUsers = async (): Promise<number> =>
    expectStatus(await admin.get('/iam/users'), 200).body.meta.pagination.total_count

  const call = (declared: DeclaredRoute): Promise<TestAnswer> =>
    (isPublic(declared) ? world.stranger : admin).send(declared.route.method, fill(declared.path, ids), {
      body: sampleBody(declared, ids),
      options: {},
    })

  const examine = async (declared: DeclaredRoute): Promise<readonly string[]> => {
    const { status, body, text, headers } = await call(declared)
    const wanted = otherwise[declared.name] ?? '500 API-008'
    const right = `${status} ${refusalIn(body).code ?? ''}`.trim() === wanted
    const leaked = status >= 400 ? leaks.exec(`${text} ${JSON.stringify(headers)}`) : null
    return [...(right ? [] : [`${text}, not ${wanted}`]), ...(leaked === null ? [] : [`tells ${leaked[0]}`])]
  }

  /** Whether the caller is known without a question to the database, for as long as time stands still. */
  const isKnown = async (): Promise<boolean> => {
    asked.splice(0)
    expectStatus(await admin.get('/iam/users'), 200)
    return !asked.some((text) => text.includes('from revocation'))
  }

  /**
   * Time stands still meanwhile: known callers would be looked up again after a minute, and revocations after five
   * seconds without the change feed. Running time makes a gap of its own, after which the list is read again.
   */
  const whileFailing = async <T>(make: () => unknown, work: () => Promise<T>): Promise<T> => {
    try {
      for (;;) {
        vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
        if (await isKnown()) break
        vi.useRealTimers()
        await setTimeout(50)
      }
      fault = { make, on: /./ }
      return await work()
    } finally {
      fault = null
      vi.useRealTimers()
    }
  }

  for (const [name, make] of Object.entries(thrown)) {
    it(`C40 answers 500 API-008 on every route and tells nothing when the driver throws ${name}, and works again after`, async () => {
      const failures = await whileFailing(make, () => failuresOf(() => true, examine))
      expect(failures).toEqual([])
      expectStatus(await admin.get('/iam/users'), 200)
    })
  }

  for (const late of [
    /insert into iam_user_role/,
    /insert into audit_entry/,
    /insert into outbox/,
    /idempotency_key\s+set/,
    /^commit$/,
  ]) {
    it(`C40 C60 changes nothing and tells nothing when ${late} is what fails`, async () => {
      const user = { type: 'service', role_ids: [roleId] }
      const create = () =>
        admin.post('/iam/users', user, { headers: { 'idempotency-key': `late-${late}`.replaceAll(/\s/g, '') } })
      const before = await countUsers()
      fault = { make: refusedStatement, on: late }
      let answer = await create()
      // Handlers of events commit too: one that fails first may take the connection along, which is 503 for this call.
      for (let attempt = 0; answer.status === 503 && attempt < 5; attempt += 1) answer = await create()
      fault = null
      expect([answer.status, answer.body.error_code, leaks.exec(answer.text)]).toEqual([500, 'API-008', null])
      expect(await countUsers()).toBe(before)
      expectStatus(await create(), 201)
      expect(await countUsers()).toBe(before + 1)
    })
  }
})
