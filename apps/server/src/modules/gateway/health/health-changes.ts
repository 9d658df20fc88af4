import { sql } from '../../../kernel/db/sql.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import type { HealthChange } from '../providers/health.ts'
import { providerDegraded, providerRecovered } from '../schemas/events.ts'

/** Stores a provider's new state and emits an event. A change already stored by another instance emits nothing. */
export async function recordHealth({ db, clock }: Kernel, change: HealthChange): Promise<void> {
  await db.tenant({ tenantId: change.tenantId }, async (tx) => {
    const at = clock.iso()
    const before = await tx.first(
      sql<{
        health_state: string
      }>`select health_state from gateway_provider where id = ${change.providerId} for update`,
    )
    if (before === null || before.health_state === change.state) return
    await tx.execute(
      sql`
        update gateway_provider
        set health_state = ${change.state}, health_reason = ${change.reason}, health_since = ${at}
        where id = ${change.providerId}`,
    )
    // The first success of a new provider is not a recovery.
    if (change.state === 'healthy' && before.health_state === 'unknown') return
    const event = change.state === 'healthy' ? providerRecovered : providerDegraded
    await tx.emit(event, change.providerId, {
      provider_id: change.providerId,
      state: change.state,
      reason: change.reason,
      error_rate: Math.round(change.errorRate * 1000) / 1000,
      since: at,
    })
  })
}
