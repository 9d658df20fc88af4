import type { AuditRecord } from '../../../kernel/audit/personal.ts'
import type { OutboxRow } from '../../../kernel/events/outbox.ts'
import type { SpendRow } from '../budgets/tables.ts'
import type { IntentRow } from '../schemas/intent.ts'
import type { RequestRow } from '../schemas/request.ts'
import type { VaultRow } from '../vault/sealed/tables.ts'
import type { PayloadRow } from './payload.ts'

export interface CallRecord {
  /** Whether the policies of the call let it wait on the disk while the database is away. */
  readonly mayWait: boolean
  readonly intent: IntentRow | null
  readonly outcome: RequestRow | null
  readonly payload: PayloadRow | null
  readonly vault: VaultRow | null
  /** Amounts that the call spent from its budgets. */
  readonly spends: readonly SpendRow[]
  readonly audit: AuditRecord
  readonly events: readonly OutboxRow[]
}
