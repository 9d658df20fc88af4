/**
 * A whole program with the trust module, a clock that stands still, and three small modules around it: one that knows
 * all people, and the two sources of evidence, whose reports a test sets. Used by the suites of this module.
 */

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chosenKind, openTestDatabase } from '../../../../test/support/database.ts'
import { openApiChecker } from '../../../../test/support/openapi-check.ts'
import type { TenantId } from '../../../kernel/access/actor.ts'
import { permissionSet } from '../../../kernel/access/permissions.ts'
import { schemaOf } from '../../../kernel/assembly/schema.ts'
import { identityPort } from '../../../kernel/auth/port.ts'
import { loadConfig } from '../../../kernel/config/load.ts'
import type { Database } from '../../../kernel/db/port.ts'
import type { Sql } from '../../../kernel/db/sql.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { defineEvent, type EventDefinition } from '../../../kernel/events/catalogue/catalogue.ts'
import type { LoggedEvent } from '../../../kernel/events/catalogue/logged-event.ts'
import { openApiDocument } from '../../../kernel/http/openapi.ts'
import { defineModule, type Module } from '../../../kernel/module/module.ts'
import { fill } from '../../../kernel/module/ports/port.ts'
import { createLogger } from '../../../kernel/observe/log.ts'
import { strictObject } from '../../../kernel/schema/types.ts'
import { until } from '../../../kernel/testing/event-world.ts'
import { createFakeClock } from '../../../kernel/testing/fake-clock.ts'
import type { TrustReport } from '../../../kernel/trust-signals.ts'
import { startProgram } from '../../../program.ts'
import trust from '../index.ts'

export const requestBlocked = plainEvent('gateway.request.blocked')
export const requestCompleted = plainEvent('gateway.request.completed')
export const killSwitchActivated = plainEvent('aegis.kill_switch.activated')
export const alertCreated = plainEvent('aegis.alert.created')
export const tamperDetected = plainEvent('admin.audit.tamper_detected')
export const auditVerified = plainEvent('admin.audit.verified')

export const noReport: TrustReport = { signals: [], caps: [] }

export async function openTrustWorld() {
  const clock = createFakeClock()
  const reports = { gateway: noReport, aegis: noReport }
  const modules = [
    people(),
    source('gateway', [requestBlocked, requestCompleted], () => reports.gateway),
    source('aegis', [killSwitchActivated, alertCreated], () => reports.aegis),
    source('admin', [tamperDetected, auditVerified], () => noReport),
    trust,
  ]
  const lines: string[] = []
  const dataDir = await mkdtemp(join(tmpdir(), 'parapet-trust-'))
  const database = await openTestDatabase(schemaOf(modules))
  const program = await startProgram({
    config: loadConfig({ PARAPET_DATA_DIR: dataDir, PARAPET_ACCESS_LOG: 'false' }),
    clock,
    log: createLogger({ level: 'warn', now: clock.now, destination: { write: (line) => void lines.push(line) } }),
    driver: database.driver,
    checkEvents: true,
    modules,
  })
  const { kernel } = program.assembled
  await firstHourPlanned(kernel.db)
  const logged: LoggedEvent[] = []
  const followed: TenantId[] = []
  kernel.tail.subscribe({ tenants: () => followed, read: (events) => void logged.push(...events) })

  const document = openApiDocument({ routes: program.assembled.modules.routes, publicUrl: '', version: '0' })
  const check = openApiChecker(JSON.stringify(document))

  const newTenant = async (): Promise<TenantId> => {
    const tenantId = kernel.random.uuid() as TenantId
    followed.push(tenantId)
    await kernel.db.tenant({ tenantId }, async (tx) => {
      await kernel.tenantKeys.create(tx)
      await kernel.seedTenant(tx)
    })
    return tenantId
  }

  // Kept while time stands, so that a later call of the same moment waits for nothing but the database.
  const tokens = new Map<string, string>()
  const tokenFor = async (tenantId: TenantId): Promise<string> => {
    const key = `${tenantId} ${clock.now()}`
    const known = tokens.get(key)
    if (known !== undefined) return known
    const { token } = await kernel.auth.signAccess({
      sub: person,
      tid: tenantId,
      sid: kernel.random.uuid(),
      role: 'tenant_admin',
      permissions: ['trust:admin'],
      auth_time: Math.floor(clock.now() / 1000),
      amr: ['pwd'],
      acr: '1',
    })
    tokens.set(key, token)
    return token
  }

  const call = async (
    tenantId: TenantId,
    method: 'GET' | 'POST' | 'PATCH',
    path: string,
    body?: object | string,
    more: Readonly<Record<string, string>> = {},
  ) => {
    const token = await tokenFor(tenantId)
    const form = body === undefined ? {} : { 'content-type': 'application/json' }
    const answer = await program.app.inject({
      method,
      url: `/api/v1/trust${path}`,
      headers: { authorization: `Bearer ${token}`, ...form, ...more },
      ...(body === undefined ? {} : { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const { statusCode: status, headers, payload } = answer
    const undocumented = check({ method, path: `/api/v1/trust${path}`, status, headers, body: payload })
    if (undocumented.length > 0) throw new Error(`${method} ${path}: ${undocumented.join('\n')}`)
    return { status, headers, body: answer.json() }
  }

  return {
    clock,
    kernel,
    reports,
    lines,
    newTenant,
    get: (tenantId: TenantId, path: string) => call(tenantId, 'GET', path),
    /** A body that is a text is sent as it is. */
    post: (tenantId: TenantId, path: string, body: object | string = {}) => call(tenantId, 'POST', path, body),
    patch: (tenantId: TenantId, path: string, body: object | string, headers: Readonly<Record<string, string>> = {}) =>
      call(tenantId, 'PATCH', path, body, headers),
    emit: (tenantId: TenantId, event: EventDefinition, times = 1) =>
      kernel.db.tenant({ tenantId }, async (tx) => {
        for (let i = 0; i < times; i++) await tx.emit(event, kernel.random.uuid(), {})
      }),
    /** Events of a channel so far, in the order of the log. */
    heard: (channel: string) => logged.filter((event) => event.channel === channel),
    rows: <Row>(tenantId: TenantId, statement: Sql<Row>) => kernel.db.read(tenantId, statement),
    /** Changes rows behind the application's back, as the owner of the database. */
    tamper: (text: string) => database.driver.script(text),
    /** Lets time pass in steps of a tenth of a second. */
    pass: async (ms: number): Promise<void> => {
      for (let step = 0; step < ms; step += 100) {
        await quiet(kernel.db)
        clock.advance(100)
      }
    },
    /** The same until the condition holds. @returns the milliseconds it took */
    passUntil: async (condition: () => boolean | Promise<boolean>): Promise<number> => {
      const start = clock.now()
      const giveUp = performance.now() + patienceMs
      while (!(await condition())) {
        if (performance.now() > giveUp) throw new Error(`not after ${clock.now() - start} ms: ${condition.toString()}`)
        await quiet(kernel.db)
        clock.advance(100)
      }
      return clock.now() - start
    },
    close: async () => {
      await program.stop()
      await database.close()
      await rm(dataDir, { recursive: true })
    },
  }
}

export type TrustWorld = Awaited<ReturnType<typeof openTrustWorld>>

/** Real milliseconds. */
const patienceMs = 30_000

/** Maximum milliseconds by the clock; unlimited on a shared server, where the relay waits for all transactions. */
export const within = (ms: number): number => (chosenKind() === 'pglite' ? ms : Number.MAX_SAFE_INTEGER)

const person = '0190c000-0000-7000-8000-000000000001'

/** Resolves when the database was unused for some turns of the event loop: all woken work is done. */
async function quiet(db: Pick<Database, 'stats'>): Promise<void> {
  for (let still = 0; still < 10; still++) {
    await new Promise<void>((resolve) => setImmediate(resolve))
    const { total, idle, waiting } = db.stats()
    if (idle < total || waiting > 0) still = 0
  }
}

/**
 * Resolves when the schedule has planned the running hour, while no tenant exists: a tenant that it finds first gets a
 * run of its own, at a moment no test asked for.
 */
async function firstHourPlanned(db: Pick<Database, 'system'>): Promise<void> {
  const planned = sql<{ kind: string }>`select kind from job_schedule where kind = 'trust.recalculate'`
  await until(async () => (await db.system('test', (tx) => tx.first(planned))) !== null)
}

function plainEvent(channel: string) {
  return defineEvent({
    channel,
    type: 'Plain',
    summary: 'Something happened.',
    schema: strictObject({}),
    readers: ['trust'],
  })
}

function source(
  name: 'gateway' | 'aegis' | 'admin',
  emits: readonly EventDefinition[],
  report: () => TrustReport,
): Module {
  const nothing = { prefix: name, errors: {}, tables: [], migrations: [], routes: [], services: () => null }
  return defineModule({ ...nothing, name, emits, signals: async () => report() })
}

/** One person who may read and write scores in every tenant. */
function people(): Module {
  const rights = {
    active: true,
    role: 'tenant_admin',
    roles: ['tenant_admin'],
    permissions: permissionSet(['trust:admin']),
    operator: false,
    tenantStatus: 'active',
    tenantRequestsPerMinute: null,
  } as const
  return defineModule({
    name: 'iam',
    prefix: 'iam',
    errors: {},
    tables: [],
    migrations: [],
    routes: [],
    emits: [],
    services: () => undefined,
    fills: [
      fill(identityPort, () => ({
        rights: async (_, userId) => (userId === person ? rights : null),
        apiKey: async () => null,
        apiKeyUsed: () => {},
        outsideToken: async () => null,
        tenantsAbove: async () => [],
        isSetUp: () => true,
      })),
    ],
  })
}

export const snapshotCount = sql<{ count: number }>`select count(*)::int as count from trust_snapshot`
