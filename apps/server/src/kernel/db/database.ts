/**
 * The database port over a driver: tenant, system and insert-only transactions, each begun, scoped and ended here and
 * nowhere else. It promises that a statement runs with exactly one tenant or under a role that sees no tenant's module
 * tables; it does not retry, because it cannot know whether the caller's work may run twice.
 * Tested in transaction.test.ts and, on every adapter, by the contract suite.
 */
import type { TenantId } from '../access/actor.ts'
import { acquireAnswering, answering } from './answering.ts'
import { transactionError } from './errors.ts'
import type { Database, Driver, OpenTx, Origin, Result, Session, SystemTx, TenantScope } from './port.ts'
import type { Recorders } from './recorders.ts'
import {
  begin,
  beginReadOnly,
  beginSnapshot,
  commit,
  logScope,
  statementTimeoutMs,
  systemScope,
  tenantScope,
  unsynced,
} from './scope.ts'
import { type DatabaseSeam, throughSeam } from './seamed.ts'
import { type Sql, sql } from './sql.ts'
import { Transaction } from './transaction.ts'

export interface DatabaseParts {
  readonly driver: Driver
  readonly recorders: Recorders
  /** Called after each commit of the insert-only role: its rows may include events and audit entries. */
  readonly appended?: () => void
  /** Told about errors of `afterCommit` hooks; by default a warning of the process. */
  readonly hookFailed?: (error: unknown) => void
  /** Where faults are injected into work of tenants; default nowhere. */
  readonly seam?: DatabaseSeam
}

/** Milliseconds for the question whether the database is there; its callers need a quick answer. */
const pingTimeoutMs = 1_000

const nowhere: Origin = {
  actor: null,
  requestId: null,
  ip: null,
  userAgent: null,
  traceparent: null,
  causationDepth: 0,
  signal: null,
}

export function createDatabase(parts: DatabaseParts): Database {
  const { driver, seam } = parts
  const open = (scope: TenantScope): OpenTx =>
    new Transaction({
      acquire: () =>
        throughSeam(seam, pointOf(scope), () => acquireAnswering(driver, statementTimeoutMs.tenant, scope.tenantId)),
      recorders: parts.recorders,
      hookFailed: parts.hookFailed ?? warn,
      tenantId: scope.tenantId,
      origin: completeOrigin(scope.origin),
      opening: [openingOf(scope), tenantScope(scope.tenantId, driver.kind)],
    })
  return {
    kind: driver.kind,
    open,
    tenant: (scope, work) => ending(open(scope), work),
    read: async <Row>(tenantId: TenantId, statement: Sql<Row>) => {
      const session = throughSeam(seam, { tenantId, target: 'read' }, () =>
        acquireAnswering(driver, statementTimeoutMs.tenant, tenantId),
      )
      const results = await runOn(session, [beginReadOnly, tenantScope(tenantId, driver.kind), statement, commit])
      return (results[2]?.rows ?? []) as readonly Row[]
    },
    system: (reason, work) => ending(systemTransaction(parts, reason), work),
    append: async (statements) => {
      if (statements.length === 0) return
      await runAppending(driver, statements)
      parts.appended?.()
    },
    appendUnsynced: async (statements) => {
      if (statements.length > 0) await runAppending(driver, [unsynced, ...statements])
    },
    ping: async () => {
      await runWhole(driver, [sql`select 1`], pingTimeoutMs)
    },
    stats: () => driver.stats(),
    close: () => driver.close(),
  }
}

function pointOf({ tenantId, route, origin }: TenantScope) {
  // The request id of a call may be made only when it is asked for, which is where there is a route.
  const requestId = route === undefined ? null : (origin?.requestId ?? null)
  return { tenantId, target: 'transaction', route: route ?? null, requestId } as const
}

/** A complete origin is taken as it is: its members may be made only when they are asked for. */
function completeOrigin(origin: Partial<Origin> | undefined): Origin {
  if (origin === undefined) return nowhere
  return isComplete(origin) ? origin : { ...nowhere, ...origin }
}

function openingOf({ snapshot, readOnly }: TenantScope): Sql<never> {
  if (snapshot === true) return beginSnapshot
  return readOnly === true ? beginReadOnly : begin
}

function isComplete(origin: Partial<Origin>): origin is Origin {
  return Object.keys(nowhere).every((name) => name in origin)
}

function warn(error: unknown): void {
  process.emitWarning(error instanceof Error ? error : String(error), 'AfterCommitWarning')
}

/** Commits when the work returns, rolls back when it throws. */
async function ending<T, X>(tx: OpenTx & X, work: (tx: OpenTx & X) => Promise<T>): Promise<T> {
  let result: T
  try {
    result = await work(tx)
  } catch (error) {
    await tx.rollback()
    throw error
  }
  await tx.commit()
  return result
}

const noRecords = (): never => {
  throw new TypeError('Kernel work across tenants leaves no records of a tenant')
}
const systemRecorders: Recorders = {
  audit: noRecords,
  event: noRecords,
  job: noRecords,
  cancel: noRecords,
  cancelled: noRecords,
  change: noRecords,
}

function systemTransaction(parts: DatabaseParts, reason: string): OpenTx & SystemTx {
  return new Transaction({
    // Work of one reason waits for its own: the lease of the kill list is not behind all handlers of events.
    acquire: () => acquireAnswering(parts.driver, statementTimeoutMs.system, `kernel: ${reason}`),
    recorders: systemRecorders,
    hookFailed: parts.hookFailed ?? warn,
    // No tenant: policies of tenant tables compare with null and show nothing.
    tenantId: '' as TenantId,
    origin: nowhere,
    opening: [
      begin,
      systemScope(parts.driver.kind),
      sql`select set_config('application_name', ${`parapet: ${reason}`}, true)`,
    ],
  })
}

/** A single statement is a transaction by itself; four more around it would cost more than it does. */
async function runAppending(driver: Driver, statements: readonly Sql<unknown>[]): Promise<void> {
  const timeoutMs = statementTimeoutMs.tenant
  const session = driver.acquireToAppend?.()
  if (session === undefined) return void (await runWhole(driver, [begin, logScope(driver.kind), ...statements, commit]))
  const whole = statements.length === 1 ? statements : [begin, ...statements, commit]
  await runOn(
    session.then((acquired) => answering(driver, timeoutMs, acquired)),
    whole,
  )
}

/** A whole transaction in one flush; its last statement ends it even when an earlier one failed. */
function runWhole(
  driver: Driver,
  statements: readonly Sql<unknown>[],
  timeoutMs: number = statementTimeoutMs.tenant,
): Promise<readonly Result[]> {
  return runOn(acquireAnswering(driver, timeoutMs), statements)
}

async function runOn(acquired: Promise<Session>, statements: readonly Sql<unknown>[]): Promise<readonly Result[]> {
  try {
    const session = await acquired
    try {
      return await session.run(statements)
    } finally {
      session.release()
    }
  } catch (error) {
    throw transactionError(error, null)
  }
}
