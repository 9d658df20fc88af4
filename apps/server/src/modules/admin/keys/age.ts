/**
 * Replaces keys once a day: each tenant's data key by its age, and far before it was used too often for its cipher, and by age
 * the key that signs tokens. Keys of checkpoints and backups are left to people, who keep their public halves elsewhere.
 * Tested in age.test.ts.
 */
import type { TenantId } from '../../../kernel/access/actor.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import type { JobDeclaration } from '../../../kernel/module/module.ts'
import { keyRotated } from './events.ts'
import { resealKind } from './reseal.ts'
import { dataKeyDays, tokenKeyDays } from './settings.ts'

const dayMs = 86_400_000
/** Half of the limit in NIST SP 800-38D (8.3) for an AES-GCM key with random nonces; checked once a day. */
const mostUses = 2 ** 31

export const keyAgeJob: JobDeclaration<unknown> = {
  kind: 'admin.keys.age',
  maxAttempts: 3,
  leaseMs: 60_000,
  everyMs: dayMs,
  run: ({ kernel, tenantId }) => replaceOldDataKey(kernel, tenantId),
}

export const tokenKeyAgeJob: JobDeclaration<unknown> = {
  ...keyAgeJob,
  kind: 'admin.keys.token_age',
  ofInstallation: true,
  run: ({ kernel }) => replaceOldTokenKey(kernel),
}

/** The time before which a key that began then is old; null where age does not count. */
function oldBefore({ clock }: Kernel, days: number): string | null {
  return days === 0 ? null : new Date(clock.now() - days * dayMs).toISOString()
}

export async function replaceOldDataKey(kernel: Kernel, tenantId: TenantId): Promise<void> {
  const before = oldBefore(kernel, kernel.settings.get(dataKeyDays, tenantId))
  const [newest] = await kernel.keys.dataKeys(tenantId)
  const isOld = before !== null && (newest?.activates_at ?? before) < before
  const isWorn = (newest?.uses ?? 0) >= mostUses
  if (!isOld && !isWorn) return
  await kernel.db.tenant({ tenantId }, async (tx) => {
    await kernel.keys.rotateData(tx)
    await tx.enqueue({ kind: resealKind, payload: {} })
    await record(tx, 'data', isOld ? 'age' : 'uses')
  })
}

export async function replaceOldTokenKey(kernel: Kernel): Promise<void> {
  const before = oldBefore(kernel, kernel.settings.get(tokenKeyDays, null))
  if (before === null) return
  const keys = await kernel.keys.inventory()
  const isOld = keys.some(
    ({ purpose, status, activates_at: at }) => purpose === 'token' && status === 'active' && at !== null && at < before,
  )
  if (!isOld) return
  await kernel.keys.rotateSigning('token', undefined, {
    ifActiveBefore: before,
    write: (tx) => record(tx, 'token_signing', 'age'),
  })
}

type Reason = 'age' | 'uses'

async function record(tx: Tx, purpose: 'data' | 'token_signing', reason: Reason): Promise<void> {
  await tx.audit('admin.keys.rotate', { target: `key:${purpose}`, after: { purpose, emergency: false }, reason })
  await tx.emit(keyRotated, `key/${purpose}`, { purpose, emergency: false, actor_id: null })
}
