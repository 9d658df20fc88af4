import type { TenantId } from '../access/actor.ts'
import type { EventDefinition } from '../events/catalogue/catalogue.ts'
import type { AuditFields, Happened, JobRequest, Origin } from './port.ts'
import type { Sql } from './sql.ts'

/** Facts about the transaction that a record is made in. */
export interface RecordContext {
  readonly tenantId: TenantId
  readonly origin: Origin
}

/** The transaction a record is made in. */
export interface RecordingTx extends RecordContext {
  afterCommit(run: () => void): void
}

/** The statements behind `tx.audit`, `tx.emit`, `tx.enqueue`, `tx.cancel` and `tx.announce`; their tables belong to other areas. */
export interface Recorders {
  audit(tx: RecordingTx, action: string, entries: readonly AuditFields[]): Sql
  event<E extends EventDefinition>(tx: RecordingTx, definition: E, happened: readonly Happened<E>[]): Sql
  job(tx: RecordingTx, request: JobRequest): Sql
  /** Touches one row where the job is cancelled by it. */
  cancel(tx: RecordingTx, jobId: string): Sql
  /** Tells its worker. */
  cancelled(tx: RecordingTx, jobId: string): Sql
  change(tx: RecordingTx, topic: string, key: string, data?: Readonly<Record<string, unknown>>): Sql
}
