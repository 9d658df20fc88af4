import type { TenantId } from '../access/actor.ts'
import type { EventDefinition } from '../events/catalogue/catalogue.ts'
import type { AuditFields, Happened, JobRequest, Origin } from './port.ts'
import type { Sql } from './sql.ts'

/** What a record needs to know about the transaction it is made in. */
export interface RecordContext {
  readonly tenantId: TenantId
  readonly origin: Origin
}

/** The transaction a record is made in. */
export interface RecordingTx extends RecordContext {
  afterCommit(run: () => void): void
}

/** The statements behind `tx.audit`, `tx.emit`, `tx.enqueue` and `tx.announce`; their tables belong to other areas. */
export interface Recorders {
  audit(tx: RecordingTx, action: string, entries: readonly AuditFields[]): Sql
  event<E extends EventDefinition>(tx: RecordingTx, definition: E, happened: readonly Happened<E>[]): Sql
  job(tx: RecordingTx, request: JobRequest): Sql
  change(tx: RecordingTx, topic: string, key: string, data?: Readonly<Record<string, unknown>>): Sql
}
