/**
 * Rotation of keys. Promises that nobody is signed out by an ordinary rotation, that an emergency one ends every
 * session with the key it drops, and that each rotation is in the log before its answer. Tenants rotate their own data
 * key; all other keys are the installation's and its operators'. Tested in keys.test.ts.
 */
import type { Actor, TenantId } from '../../../kernel/access/actor.ts'
import { assertFresh } from '../../../kernel/auth/fresh.ts'
import type { TenantScope, Tx } from '../../../kernel/db/port.ts'
import { apiErrors, authErrors } from '../../../kernel/errors/errors.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import type { KeyFacts } from '../../../kernel/keys/administration.ts'
import { errors } from '../errors/errors.ts'
import type { AdminServices } from '../services/admin-services.ts'
import { keyRotated } from './events.ts'
import { rotatesAt } from './next.ts'
import { resealKind } from './reseal.ts'
import type { Key, KeyRotation, RotateKeys } from './schema.ts'

type Purpose = RotateKeys['purpose']

const names = {
  token: 'token_signing',
  checkpoint: 'checkpoint_signing',
  export: 'export_signing',
  data: 'data',
  kek: 'kek',
  pepper: 'password_pepper',
} as const satisfies Record<KeyFacts['purpose'], Purpose>
const signers = { token_signing: 'token', checkpoint_signing: 'checkpoint', export_signing: 'export' } as const

interface Ask {
  readonly actor: Actor
  readonly body: RotateKeys
}

/** @throws ADM-016, API-001 for an emergency that would lose data, API-013, AUTH-004, AUTH-009 */
export async function rotateKeys(services: AdminServices, scope: TenantScope, ask: Ask): Promise<KeyRotation> {
  const { kernel } = services
  const { actor, body } = ask
  const tenantId = await tenantOf(kernel, ask)
  refuseImpossible(body)
  if (body.dry_run === true) return dryRun(kernel, tenantId, body.purpose)
  assertFresh(actor, kernel.clock)
  if (body.purpose === 'data') return rotateData(kernel, scope, { ...ask, tenantId })
  if (body.purpose === 'kek') return rotateKek(kernel, scope, ask)
  if (body.purpose === 'password_pepper') return rotatePepper(kernel, scope, ask)
  return rotateSigning(services, scope, { ...ask, signer: signers[body.purpose] })
}

/** Whose data key is meant. @throws API-013 for a tenant that is not the caller's to rotate for */
async function tenantOf(kernel: Kernel, { actor, body }: Ask): Promise<TenantId> {
  if (body.purpose !== 'data' && !actor.operator) throw authErrors.forbidden({ permission: 'super_admin' })
  if (body.tenant_id === undefined || body.tenant_id === actor.tenantId) return actor.tenantId
  const found = actor.operator ? (await kernel.tenants()).find((id) => id === body.tenant_id) : undefined
  if (found === undefined) throw apiErrors.notFound({ what: 'tenant' })
  return found
}

/** Values encrypted by an old data key or key-encryption key would be lost with it. */
function refuseImpossible({ purpose, emergency }: RotateKeys): void {
  if (emergency !== true || purpose === 'token_signing') return
  const detail =
    'Only the token signing key can be dropped at once: what the others have locked or signed would be lost.'
  throw apiErrors.validation({ what: detail }).at([{ detail, pointer: '/emergency' }])
}

async function keysOf(kernel: Kernel, tenantId: TenantId, purpose: Purpose): Promise<readonly Key[]> {
  const { keys } = kernel
  const all = purpose === 'data' ? await keys.dataKeys(tenantId) : await keys.inventory()
  return all
    .map((key) => ({ ...key, purpose: names[key.purpose], rotates_at: rotatesAt(kernel, tenantId, key) }))
    .filter((key) => key.purpose === purpose)
}

async function answerOf(
  kernel: Kernel,
  tenantId: TenantId,
  facts: Partial<KeyRotation> & Pick<KeyRotation, 'purpose'>,
): Promise<KeyRotation> {
  const keys = [...(await keysOf(kernel, tenantId, facts.purpose))]
  return { rotated: true, job_id: null, rewrapped: 0, sessions_ended: 0, ...facts, keys }
}

async function dryRun(kernel: Kernel, tenantId: TenantId, purpose: Purpose): Promise<KeyRotation> {
  const rewrapped = purpose === 'kek' && kernel.keys.canRewrap ? await kernel.keys.countToRewrap() : 0
  return answerOf(kernel, tenantId, { purpose, rotated: false, rewrapped })
}

async function record(tx: Tx, { actor, body }: Ask): Promise<void> {
  const { purpose, emergency = false } = body
  await tx.audit('admin.keys.rotate', { target: `key:${purpose}`, after: { purpose, emergency } })
  await tx.emit(keyRotated, `key/${purpose}`, { purpose, emergency, actor_id: actor.userId })
}

async function rotateData(
  kernel: Kernel,
  scope: TenantScope,
  ask: Ask & { readonly tenantId: TenantId },
): Promise<KeyRotation> {
  const id = kernel.random.uuid()
  const { tenantId } = ask
  await kernel.db.tenant({ ...scope, tenantId }, async (tx) => {
    await kernel.keys.rotateData(tx)
    await tx.enqueue({ id, kind: resealKind, payload: {} })
    await record(tx, ask)
  })
  return answerOf(kernel, tenantId, { purpose: 'data', job_id: id })
}

/** No one needs a new password: each is hashed with the new pepper when its owner signs in. */
async function rotatePepper(kernel: Kernel, scope: TenantScope, ask: Ask): Promise<KeyRotation> {
  const { purpose } = ask.body
  const { origin } = scope
  await kernel.keys.rotatePepper({
    ...(origin === undefined ? {} : { origin }),
    write: (tx) => tx.audit('admin.keys.rotate', { target: `key:${purpose}`, after: { purpose, emergency: false } }),
  })
  await kernel.db.tenant(scope, (tx) => record(tx, ask))
  return answerOf(kernel, ask.actor.tenantId, { purpose })
}

/**
 * The rewrap runs across tenants, where no entry can be written: it is in the log before it is done, and again when it
 * failed.
 */
async function rotateKek(kernel: Kernel, scope: TenantScope, ask: Ask): Promise<KeyRotation> {
  if (!kernel.keys.canRewrap) throw errors.keyProvider()
  await kernel.db.tenant(scope, (tx) => record(tx, ask))
  try {
    const rewrapped = await kernel.keys.rewrap()
    return await answerOf(kernel, ask.actor.tenantId, { purpose: 'kek', rewrapped })
  } catch (error) {
    await kernel.db.tenant(scope, (tx) => tx.audit('admin.keys.rotate', { target: 'key:kek', result: 'failed' }))
    throw errors.keyProvider().causedBy(error)
  }
}

async function rotateSigning(
  { kernel, iam }: AdminServices,
  scope: TenantScope,
  ask: Ask & { readonly signer: (typeof signers)[keyof typeof signers] },
): Promise<KeyRotation> {
  const { purpose, emergency = false } = ask.body
  const { origin } = scope
  const write = (tx: Tx) => tx.audit('admin.keys.rotate', { target: `key:${purpose}`, after: { purpose, emergency } })
  await kernel.keys.rotateSigning(ask.signer, emergency ? 0 : undefined, {
    ...(origin === undefined ? {} : { origin }),
    write,
  })
  await kernel.db.tenant(scope, async (tx) => {
    if (emergency) await kernel.auth.revoke(tx, 'platform', 'all')
    await record(tx, ask)
  })
  const ended = emergency ? await endEverySession(kernel, iam, ask.actor) : 0
  return answerOf(kernel, ask.actor.tenantId, { purpose, sessions_ended: ended })
}

/** Their tokens are worth nothing already; this is what the lists of sessions say. */
async function endEverySession(kernel: Kernel, iam: AdminServices['iam'], actor: Actor): Promise<number> {
  let ended = 0
  for (const tenantId of await kernel.tenants()) {
    ended += await kernel.db.tenant({ tenantId }, async (tx) => {
      const count = await iam.endEverySession(tx, { by: actor.userId, reason: 'key_rotation' })
      if (count > 0)
        await tx.audit('iam.session.end', { target: 'session:all', reason: 'key_rotation', after: { count } })
      return count
    })
  }
  return ended
}
