/**
 * The database port. A tenant is a property of the transaction: every statement of a `Tx` runs as the application role
 * with the tenant set, and row-level security does the rest. It promises that what `commit` acknowledged is stored;
 * it does not hide SQL. The contract suite is contract.ts, run on every adapter.
 */

import type { Actor, TenantId } from '../access/actor.ts'
import type { AbortWatch } from '../base/abort.ts'
import type { EventData, EventDefinition } from '../events/catalogue/catalogue.ts'
import type { Sql } from './sql.ts'

export interface Result {
  readonly rows: readonly Record<string, unknown>[]
  readonly count: number
}

/** One checked-out connection of a driver. */
export interface Session {
  /** Sends all statements in one network flush; the first error rejects and the later ones do not count. */
  run(statements: readonly Sql<unknown>[]): Promise<readonly Result[]>
  /** Cancels the running statement, if the driver can. */
  cancel(): void
  release(broken?: boolean): void
}

export interface Driver {
  readonly kind: 'pg' | 'pglite'
  /** @param group callers among whom sessions are shared in turn; none for the kernel's own work */
  acquire(group?: string): Promise<Session>
  /** A session that is the insert-only role and nothing else, from a driver that has connections to spare for it. */
  acquireToAppend?(): Promise<Session>
  /** Runs a script of several statements as the owner; used by migrations only. */
  script(text: string): Promise<void>
  stats(): { readonly total: number; readonly idle: number; readonly waiting: number }
  close(): Promise<void>
}

/** Where a change comes from; audit entries and events take their origin from it. */
export interface Origin {
  readonly actor: Actor | null
  readonly requestId: string | null
  readonly ip: string | null
  readonly userAgent: string | null
  readonly traceparent: string | null
  /** How many events led to this change; loops stop at a bound. */
  readonly causationDepth: number
  readonly signal: AbortWatch | null
}

export interface AuditFields {
  /** `<kind>:<id>` of the object of the action. */
  readonly target: string
  /**
   * The user whom `before`, `after` and `reason` are about; default: the target, where it is one. Statements about a
   * person are kept apart from the entry and are erased with them.
   */
  readonly about?: string
  /** The user behind a request without a signed-in caller; default: the one it is about. */
  readonly from?: string
  readonly before?: unknown
  readonly after?: unknown
  readonly reason?: string
  readonly result?: 'success' | 'refused' | 'failed'
}

/** Data of one of many events of a kind. */
export interface Happened<E extends EventDefinition> {
  readonly subject: string
  readonly data: EventData<E>
}

/** An open transaction. It begins with its first statement and ends when the function it was made for returns or throws. */
export interface Tx {
  readonly tenantId: TenantId
  readonly origin: Origin
  /** Rows of the statement, typed by the tag's type parameter. */
  query<Row>(statement: Sql<Row>): Promise<readonly Row[]>
  /** The first row or null. */
  first<Row>(statement: Sql<Row>): Promise<Row | null>
  /** Number of rows touched. */
  execute(statement: Sql<unknown>): Promise<number>
  /** Adds an entry to the tenant's audit log in this transaction. */
  audit(action: string, fields: AuditFields): Promise<void>
  /** As `audit` for each, in one statement. */
  auditAll(action: string, entries: readonly AuditFields[]): Promise<void>
  /** Adds an event to the outbox in this transaction. */
  emit<E extends EventDefinition>(event: E, subject: string, data: EventData<E>): Promise<void>
  /** As `emit` for each, in this order and one statement. */
  emitAll<E extends EventDefinition>(event: E, happened: readonly Happened<E>[]): Promise<void>
  /** Adds a job in this transaction. */
  enqueue(job: JobRequest): Promise<void>
  /**
   * Cancels a job of this tenant: one that waits never runs; one that runs is told by its signal, in this process at commit
   * and elsewhere within a second, and its transactions (`JobContext.transaction`) no longer commit.
   * @returns false where there is none that waits or runs
   */
  cancel(jobId: string): Promise<boolean>
  /** Tells all instances, at commit, that something they hold in memory has changed. */
  announce(topic: string, key: string, data?: Readonly<Record<string, unknown>>): Promise<void>
  /** Serializes with every other transaction that locks the same kind and key. */
  lock(kind: string, key: string): Promise<void>
  /** Runs after a successful commit, in order; it must not throw. */
  afterCommit(run: () => void): void
}

export interface JobRequest {
  readonly kind: string
  /** The job's id in reports; generated when absent. A keyed job may keep the id of the one that waits. */
  readonly id?: string
  readonly payload: Readonly<Record<string, unknown>>
  /** At most one waiting job per tenant, kind and key. */
  readonly key?: string
  /** Unix milliseconds; default now. */
  readonly runAt?: number
}

export interface Database {
  readonly kind: 'pg' | 'pglite'
  /** Runs `work` in a tenant's transaction: commits when it returns, rolls back when it throws. */
  tenant<T>(scope: TenantScope, work: (tx: Tx) => Promise<T>): Promise<T>
  /** One read in one network flush, in a read-only transaction of the tenant. */
  read<Row>(tenantId: TenantId, statement: Sql<Row>): Promise<readonly Row[]>
  /** Kernel work across tenants, under the system role, which sees kernel tables only. */
  system<T>(reason: string, work: (tx: SystemTx) => Promise<T>): Promise<T>
  /** Inserts for several tenants under the insert-only role: the group commit of durable records. */
  append(statements: readonly Sql<unknown>[]): Promise<void>
  /**
   * The same for records that may be lost in a power cut, such as answers that can be asked for again: it resolves
   * before the disk has it, so that records that must not be lost do not wait for its turn there.
   */
  appendUnsynced(statements: readonly Sql<unknown>[]): Promise<void>
  /** A transaction the caller ends; used by the HTTP layer so that commit comes after serialization. */
  open(scope: TenantScope): OpenTx
  ping(): Promise<void>
  stats(): ReturnType<Driver['stats']>
  close(): Promise<void>
}

export interface TenantScope {
  readonly tenantId: TenantId
  readonly origin?: Partial<Origin>
  /** The declared path of the route whose transaction it is; the HTTP layer says it, and faults reach no other work. */
  readonly route?: string
  readonly readOnly?: boolean
  /** Reads only, and all statements see the database as the first one did: for numbers that are held against each other. */
  readonly snapshot?: boolean
}

export interface OpenTx extends Tx {
  /** True once a statement was sent. */
  readonly begun: boolean
  /** Number of audit entries written so far. */
  readonly audited: number
  commit(): Promise<void>
  rollback(): Promise<void>
}

export type SystemTx = Pick<Tx, 'query' | 'first' | 'execute' | 'lock' | 'afterCommit'>
