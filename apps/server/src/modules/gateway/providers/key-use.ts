/**
 * When providers were last asked with each key. Promises to write at most once a minute per key and instance, apart from
 * the call, and never to go back in time. Tested in ../provider-key-use.test.ts.
 */
import type { TenantId } from '../../../kernel/access/actor.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import type { ProviderHealth } from './health.ts'
import type { ProviderSecret, Target } from './provider.ts'

/** Minimum interval between two writes of a key's last use, in milliseconds. */
const writeEveryMs = 60_000
/** Keys that are remembered; forgetting one costs one write. */
const mostKeys = 10_000

export function tellingKeyUse(kernel: Kernel, health: ProviderHealth): ProviderHealth {
  const written = new Map<string, number>()
  const used = (tenantId: TenantId, { provider }: Target, secret: ProviderSecret | null): void => {
    if (secret === null) return
    const key = `${provider.id}:${secret.id}:${secret.version ?? 1}`
    const now = kernel.clock.now()
    if (now - (written.get(key) ?? Number.NEGATIVE_INFINITY) < writeEveryMs) return
    if (written.size >= mostKeys) written.clear()
    written.set(key, now)
    kernel.background('use of a provider key', store(kernel, { tenantId, providerId: provider.id, secret }))
  }
  return {
    ...health,
    succeeded: (tenantId, target, secret) => {
      used(tenantId, target, secret)
      health.succeeded(tenantId, target, secret)
    },
    failed: (tenantId, target, failure) => {
      // Without a connection the key was not sent.
      if (failure.fault.kind !== 'connect' && failure.fault.kind !== 'refused_address')
        used(tenantId, target, failure.secret)
      health.failed(tenantId, target, failure)
    },
  }
}

interface Use {
  readonly tenantId: TenantId
  readonly providerId: string
  readonly secret: ProviderSecret
}

async function store({ db, clock }: Kernel, { tenantId, providerId, secret }: Use): Promise<void> {
  const at = clock.iso()
  await db.tenant({ tenantId }, (tx) =>
    tx.execute(sql`
      update gateway_provider_secret
      set last_used_at = ${at}
      where provider_id = ${providerId} and name = ${secret.id} and version = ${secret.version ?? 1}
        and (last_used_at is null or last_used_at < ${at})`),
  )
}
