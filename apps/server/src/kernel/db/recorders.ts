import type { TenantId } from '../auth/actor.ts'
import type { EventData, EventDefinition } from '../events/catalogue.ts'
import type { AuditFields, JobRequest, Origin } from './port.ts'
import type { Sql } from './sql.ts'

/** The transaction a record is made in. */
export interface RecordingTx {
  readonly tenantId: TenantId
  readonly origin: Origin
  afterCommit(run: () => void): void
}

/** The statements behind `tx.audit`, `tx.emit`, `tx.enqueue` and `tx.announce`; their tables belong to other areas. */
export interface Recorders {
  audit(tx: RecordingTx, action: string, fields: AuditFields): Sql
  event<E extends EventDefinition>(tx: RecordingTx, definition: E, subject: string, data: EventData<E>): Sql
  job(tx: RecordingTx, request: JobRequest): Sql
  change(tx: RecordingTx, topic: string, key: string, data?: Readonly<Record<string, unknown>>): Sql
}
