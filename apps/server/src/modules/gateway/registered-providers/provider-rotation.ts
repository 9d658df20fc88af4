/**
 * A new version of a provider's key. Promises that the new one has worked before it is used (unless the check was
 * skipped), that the previous one stays for the overlap and no longer, and that an expired one cannot be decrypted any
 * more. Tested in provider-rotation.test.ts.
 */

import type { TenantId } from '../../../kernel/access/actor.ts'
import type { TenantScope, Tx } from '../../../kernel/db/port.ts'
import { type SqlPart, sql } from '../../../kernel/db/sql.ts'
import { apiErrors } from '../../../kernel/errors/errors.ts'
import { anyVersion } from '../../../kernel/http/answer/etag.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import type { DueAt } from '../../../kernel/module/module.ts'
import { change, hold } from '../../../kernel/resource/resource.ts'
import { addressOf } from '../providers/vendors/registry.ts'
import { secretRotated } from '../schemas/events.ts'
import type { ProviderRow } from '../schemas/provider.ts'
import type { ProviderSecretRow, RotatedSecret, RotateSecret } from '../schemas/provider-secret.ts'
import { providerSecrets, providers } from '../schemas/tables.ts'
import { checkKey, sealAll } from './provider-keys.ts'
import { shredKeys } from './provider-pool.ts'
import { refuseUnlessWorking } from './provider-test.ts'
import { providerResource } from './providers.ts'

const defaultOverlapS = 300

export interface Rotation {
  readonly id: string
  readonly by: string
  readonly input: RotateSecret
}

/** @throws API-001, API-013, API-011 when the address changed meanwhile, GW-015, GW-011, GW-023 */
export async function rotateSecret(
  kernel: Kernel,
  scope: TenantScope,
  { id, by, input }: Rotation,
): Promise<RotatedSecret> {
  const { provider, current } = await kernel.db.tenant({ ...scope, readOnly: true }, async (tx) => ({
    provider: await providers.need(tx, id),
    current: await currentKey(tx, id, input.key_id),
  }))
  checkKey(kernel, { kind: provider.kind, tenantId: scope.tenantId }, { secret: input, at: '' })
  const { value, ref } = input
  const given = { ...(value !== undefined && { value }), ...(ref !== undefined && { ref }) }
  const secret = { id: input.key_id, weight: current.weight, ...given }
  if (input.skip_test !== true) await refuseUnlessWorking(kernel, provider, [secret])
  const [sealed] = await sealAll(kernel, { ...provider, tenantId: scope.tenantId }, [secret])
  if (sealed === undefined) throw new Error('A key was not sealed')
  return kernel.db.tenant(scope, (tx) => replace(kernel, tx, { provider, sealed, by, input }))
}

interface Replacing {
  readonly provider: ProviderRow
  readonly sealed: ProviderSecretRow
  readonly by: string
  readonly input: RotateSecret
}

async function replace(kernel: Kernel, tx: Tx, { provider, sealed, by, input }: Replacing): Promise<RotatedSecret> {
  const held = await hold(tx, providerResource, { id: provider.id, precondition: anyVersion })
  const { row } = held
  if (whereOf(row) !== whereOf(provider))
    throw apiErrors.conflict({ what: 'The address changed while the key was tested.' })
  const old = await currentKey(tx, row.id, input.key_id)
  const now = kernel.clock.now()
  const overlapMs = (input.overlap_seconds ?? defaultOverlapS) * 1000
  const oldValidUntil = new Date(now + overlapMs).toISOString()
  const secret = { ...sealed, version: old.version + 1, expires_at: input.expires_at ?? null }
  // An old key left standing by a recent rotation gives way.
  await shredKeys(tx, sql`provider_id = ${row.id} and name = ${input.key_id} and valid_until is not null`)
  await tx.execute(sql`update gateway_provider_secret set valid_until = ${oldValidUntil} where id = ${old.id}`)
  await providerSecrets.insert(tx, secret)
  if (overlapMs === 0) await shredKeys(tx, sql`id = ${old.id}`)
  const told = { key_id: secret.name, version: secret.version }
  await change(kernel, tx, held, {
    action: 'gateway.provider.rotate_secret',
    changes: {},
    before: null,
    after: () => ({ ...told, old_valid_until: oldValidUntil, tested: input.skip_test !== true }),
  })
  await tx.emit(secretRotated, row.id, { provider_id: row.id, ...told, by })
  return { ...told, hint: secret.hint, old_valid_until: oldValidUntil }
}

function whereOf({ kind, base_url: baseUrl, settings }: ProviderRow): string | null {
  return addressOf({ kind, baseUrl, settings })
}

type Current = Pick<ProviderSecretRow, 'id' | 'version' | 'weight'>

async function currentKey(tx: Tx, providerId: string, name: string): Promise<Current> {
  const found = await tx.first(
    sql<Current>`
      select id, version, weight from gateway_provider_secret
      where provider_id = ${providerId} and name = ${name} and valid_until is null`,
  )
  if (found === null) throw apiErrors.notFound({ what: providerSecrets.noun })
  return found
}

/** Removes the versions whose overlap has ended. */
export async function shredOldKeys({ db, clock }: Pick<Kernel, 'db' | 'clock'>, tenantId: TenantId): Promise<void> {
  await db.tenant({ tenantId }, (tx) => shredKeys(tx, sql`valid_until <= ${clock.iso()}`))
}

export const someKeysOver = ({ now }: DueAt): SqlPart => sql`
  exists (select from gateway_provider_secret old where old.tenant_id = tenant.id and old.valid_until <= ${now})`
