/**
 * An open transaction. Nothing is sent before the first statement, which travels with `begin` and the tenant in one
 * flush; statements asked for in the same turn share a flush, and records (audit, events, jobs, changes) wait for the
 * next one. After an error only rollback remains. Tested in transaction.test.ts and by the contract suite.
 */
import type { TenantId } from '../access/actor.ts'
import type { EventData, EventDefinition } from '../events/catalogue/catalogue.ts'
import { transactionError } from './errors.ts'
import { lockOne } from './locks.ts'
import type { AuditFields, Happened, JobRequest, OpenTx, Origin, Result, Session } from './port.ts'
import type { Recorders } from './recorders.ts'
import { commit, rollback } from './scope.ts'
import type { Sql } from './sql.ts'
import { deliver, type Waiting } from './waiting.ts'

export interface TransactionParts {
  readonly acquire: () => Promise<Session>
  readonly recorders: Recorders
  readonly tenantId: TenantId
  readonly origin: Origin
  /** `begin` and the scope. */
  readonly opening: readonly Sql<unknown>[]
  /** Told about a hook that threw: the commit stands, so its caller must not take it for failed. */
  readonly hookFailed: (error: unknown) => void
}

export class Transaction implements OpenTx {
  readonly tenantId: TenantId
  readonly origin: Origin
  readonly #parts: TransactionParts
  readonly #hooks: (() => void)[] = []
  #session: Promise<Session> | null = null
  #lent: Session | null = null
  #waiting: Waiting[] = []
  #scheduled = false
  /** Over when all flushes are. Never rejects. */
  #latest: Promise<void> = Promise.resolve()
  #running = 0
  #failure: { readonly error: unknown } | null = null
  #ended = false
  #begun = false
  #audited = 0
  #onAbort: (() => void) | null = null

  constructor(parts: TransactionParts) {
    this.#parts = parts
    this.tenantId = parts.tenantId
    this.origin = parts.origin
  }

  get begun(): boolean {
    return this.#begun
  }

  get audited(): number {
    return this.#audited
  }

  async query<Row>(statement: Sql<Row>): Promise<readonly Row[]> {
    // The row type is the statement author's word; the contract suite and each table's tests hold them to it.
    return (await this.#send(statement)).rows as readonly Row[]
  }

  async first<Row>(statement: Sql<Row>): Promise<Row | null> {
    return (await this.query(statement))[0] ?? null
  }

  async execute(statement: Sql<unknown>): Promise<number> {
    return (await this.#send(statement)).count
  }

  async audit(action: string, fields: AuditFields): Promise<void> {
    await this.auditAll(action, [fields])
  }

  async auditAll(action: string, entries: readonly AuditFields[]): Promise<void> {
    this.#record(this.#parts.recorders.audit(this, action, entries))
    this.#audited += entries.length
  }

  async emit<E extends EventDefinition>(event: E, subject: string, data: EventData<E>): Promise<void> {
    await this.emitAll(event, [{ subject, data }])
  }

  async emitAll<E extends EventDefinition>(event: E, happened: readonly Happened<E>[]): Promise<void> {
    if (happened.length > 0) this.#record(this.#parts.recorders.event(this, event, happened))
  }

  async enqueue(job: JobRequest): Promise<void> {
    this.#record(this.#parts.recorders.job(this, job))
  }

  async cancel(jobId: string): Promise<boolean> {
    const { cancel, cancelled } = this.#parts.recorders
    const { count } = await this.#send(cancel(this, jobId))
    if (count > 0) this.#record(cancelled(this, jobId))
    return count > 0
  }

  async announce(topic: string, key: string, data?: Readonly<Record<string, unknown>>): Promise<void> {
    this.#record(this.#parts.recorders.change(this, topic, key, data))
  }

  async lock(kind: string, key: string): Promise<void> {
    await this.#send(lockOne(kind, key))
  }

  afterCommit(run: () => void): void {
    this.#expectUsable()
    this.#hooks.push(run)
  }

  async commit(): Promise<void> {
    this.#expectOpen()
    await this.#latest
    if (this.#failure === null) this.#checkAbort()
    const anything = this.#begun || this.#waiting.length > 0
    this.#ended = true
    if (anything && this.#failure === null) await this.#flush(commit)
    if (this.#failure !== null) {
      await this.#abandon()
      throw this.#failure.error
    }
    this.#giveBack(false)
    for (const run of this.#hooks) this.#runHook(run)
  }

  async rollback(): Promise<void> {
    if (this.#ended) return
    this.#ended = true
    await this.#abandon()
  }

  #send(statement: Sql<unknown>): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#expectUsable()
      this.#waiting.push({ statement, resolve, reject })
      if (this.#scheduled) return
      this.#scheduled = true
      queueMicrotask(() => {
        this.#scheduled = false
        if (!this.#ended) void this.#flush(null)
      })
    })
  }

  #record(statement: Sql): void {
    this.#expectUsable()
    this.#waiting.push({ statement })
  }

  #flush(last: Sql<unknown> | null): Promise<void> {
    const earlier = this.#latest
    this.#latest = this.#flushNow(last).then(() => earlier)
    return this.#latest
  }

  async #flushNow(last: Sql<unknown> | null): Promise<void> {
    let batch: readonly Waiting[] = []
    try {
      const session = this.#lent ?? (await this.#open())
      batch = this.#waiting
      this.#waiting = []
      this.#checkAbort()
      if (this.#failure !== null) throw this.#failure.error
      const opening = this.#begun ? [] : this.#parts.opening
      const statements = [...opening, ...batch.map(({ statement }) => statement), ...(last === null ? [] : [last])]
      if (statements.length === 0) return
      this.#begun = true
      this.#running += 1
      const results = await session.run(statements).finally(() => {
        this.#running -= 1
      })
      deliver(batch, results.slice(opening.length))
    } catch (cause) {
      this.#fail(cause, batch)
    }
  }

  #fail(cause: unknown, batch: readonly Waiting[]): void {
    this.#failure ??= { error: transactionError(cause, this.origin.signal) }
    for (const { reject } of [...batch, ...this.#waiting]) reject?.(this.#failure.error)
    this.#waiting = []
  }

  async #open(): Promise<Session> {
    this.#session ??= this.#parts.acquire()
    const session = await this.#session
    if (this.#lent === null) {
      this.#lent = session
      this.#watchSignal(session)
    }
    return session
  }

  #watchSignal(session: Session): void {
    const { signal } = this.origin
    if (signal === null) return
    this.#onAbort = () => {
      // A commit on its way is let through: half of a cancellation would leave its outcome unknown.
      if (this.#running > 0 && !this.#ended) session.cancel()
    }
    signal.addEventListener('abort', this.#onAbort, { once: true })
  }

  #checkAbort(): void {
    const { signal } = this.origin
    if (signal?.aborted === true) this.#failure ??= { error: signal.reason }
  }

  async #abandon(): Promise<void> {
    this.#fail(this.#failure?.error ?? new Error('The transaction was rolled back'), [])
    await this.#latest
    if (this.#lent === null || !this.#begun) return this.#giveBack(false)
    try {
      await this.#lent.run([rollback])
      this.#giveBack(false)
    } catch {
      // Nothing to roll back on a lost connection; the server does it by itself.
      this.#giveBack(true)
    }
  }

  #giveBack(broken: boolean): void {
    if (this.#onAbort !== null) this.origin.signal?.removeEventListener('abort', this.#onAbort)
    this.#lent?.release(broken)
    this.#lent = null
  }

  #runHook(run: () => void): void {
    try {
      run()
    } catch (error) {
      this.#parts.hookFailed(error)
    }
  }

  #expectOpen(): void {
    if (this.#ended) throw new Error('The transaction has ended')
  }

  #expectUsable(): void {
    this.#expectOpen()
    if (this.#failure !== null) throw this.#failure.error
  }
}
