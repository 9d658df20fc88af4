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
  commit,
  logScope,
  statementTimeoutMs,
  systemScope,
  tenantScope,
  unsynced,
} from './scope.ts'
import { type Sql, sql } from './sql.ts'
import { Transaction } from './transaction.ts'

export interface DatabaseParts {
  readonly driver: Driver
  readonly recorders: Recorders
  /** Told after each commit of the insert-only role: what it added may hold events and audit entries. */
  readonly appended?: () => void
  /** Told about errors of `afterCommit` hooks; by default a warning of the process. */
  readonly hookFailed?: (error: unknown) => void
}

/** Milliseconds for the question whether the database is there; whoever asks has little patience. */
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
  const { driver } = parts
  const open = (scope: TenantScope): OpenTx =>
    new Transaction({
      acquire: () => acquireAnswering(driver, statementTimeoutMs.tenant, scope.tenantId),
      recorders: parts.recorders,
      hookFailed: parts.hookFailed ?? warn,
      tenantId: scope.tenantId,
      origin: completeOrigin(scope.origin),
      opening: [scope.readOnly === true ? beginReadOnly : begin, tenantScope(scope.tenantId)],
    })
  return {
    kind: driver.kind,
    open,
    tenant: (scope, work) => ending(open(scope), work),
    read: async <Row>(tenantId: TenantId, statement: Sql<Row>) => {
      const results = await runWhole(driver, [beginReadOnly, tenantScope(tenantId), statement, commit], {
        group: tenantId,
      })
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
      await runWhole(driver, [sql`select 1`], { timeoutMs: pingTimeoutMs })
    },
    stats: () => driver.stats(),
    close: () => driver.close(),
  }
}

/** A complete origin is taken as it is: its members may be made only when they are asked for. */
function completeOrigin(origin: Partial<Origin> | undefined): Origin {
  if (origin === undefined) return nowhere
  return isComplete(origin) ? origin : { ...nowhere, ...origin }
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
const systemRecorders: Recorders = { audit: noRecords, event: noRecords, job: noRecords, change: noRecords }

function systemTransaction(parts: DatabaseParts, reason: string): OpenTx & SystemTx {
  return new Transaction({
    acquire: () => acquireAnswering(parts.driver, statementTimeoutMs.system),
    recorders: systemRecorders,
    hookFailed: parts.hookFailed ?? warn,
    // No tenant: policies of tenant tables compare with null and show nothing.
    tenantId: '' as TenantId,
    origin: nowhere,
    opening: [begin, systemScope(), sql`select set_config('application_name', ${`parapet: ${reason}`}, true)`],
  })
}

/** A single statement is a transaction by itself; four more around it would cost more than it does. */
async function runAppending(driver: Driver, statements: readonly Sql<unknown>[]): Promise<void> {
  const timeoutMs = statementTimeoutMs.tenant
  const session = driver.acquireToAppend?.()
  if (session === undefined) return void (await runWhole(driver, [begin, logScope(), ...statements, commit]))
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
  { timeoutMs = statementTimeoutMs.tenant, group }: { readonly timeoutMs?: number; readonly group?: string } = {},
): Promise<readonly Result[]> {
  return runOn(acquireAnswering(driver, timeoutMs, group), statements)
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
