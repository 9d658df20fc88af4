import type { Tx } from '../../../kernel/db/port.ts'
import { insertMany } from '../../../kernel/db/rows.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import type { SubscriptionRow } from './integration-schema.ts'
import { subscriptions } from './integration-tables.ts'
import { likePattern } from './patterns.ts'

export interface Subscribing {
  readonly owner: SubscriptionRow['owner']
  readonly ownerId: string
  /** All that it hears of from now on. */
  readonly patterns: readonly string[]
}

export async function subscribe(
  { random }: Pick<Kernel, 'random'>,
  tx: Tx,
  { owner, ownerId, patterns }: Subscribing,
): Promise<void> {
  await tx.execute(sql`delete from platform_subscription where owner = ${owner} and owner_id = ${ownerId}`)
  await insertMany(
    tx,
    subscriptions,
    patterns.map((pattern) => ({
      ...{ id: random.uuid(), tenant_id: tx.tenantId, owner, owner_id: ownerId },
      pattern: likePattern(pattern),
    })),
  )
}
