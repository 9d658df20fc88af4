/**
 * Asking for a restore. Promises that only an operator who proved who they are has data replaced, with the installation
 * closed to everybody else and the backup named once more, or a tenant restored beside itself; proving a backup changes
 * nothing and needs none of that. Tested in backups.test.ts, replace.test.ts and copy.test.ts.
 */
import type { Actor, TenantId } from '../../../kernel/access/actor.ts'
import { assertFresh } from '../../../kernel/auth/fresh.ts'
import type { JobRequest, TenantScope } from '../../../kernel/db/port.ts'
import { apiErrors, authErrors } from '../../../kernel/errors/errors.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import { errors } from '../errors/errors.ts'
import { type CopyOrder, copyKind } from './copy.ts'
import { placeOf } from './place.ts'
import { replaceKind } from './replace.ts'
import { verifyKind } from './run.ts'
import type { RestoreBackup, RestoreJob } from './schema.ts'
import { type BackupRow, backups } from './tables.ts'

interface Asked {
  readonly actor: Actor
  readonly id: string
  readonly body: RestoreBackup
}

/**
 * @throws ADM-012 for a file that is gone or another one, ADM-013, API-001 for a mode without what it needs, API-011 for a
 * backup that is not there yet or of the wrong kind, API-013, AUTH-004, AUTH-009
 */
export async function restoreBackup(kernel: Kernel, scope: TenantScope, asked: Asked): Promise<RestoreJob> {
  const { actor, id, body } = asked
  const mode = body.mode ?? 'verify'
  if (!actor.operator) assertModest(asked)
  const known = await kernel.db.tenant({ ...scope, readOnly: true }, (tx) => backups.need(tx, id))
  const size = await sizeOf(kernel, known)
  return kernel.db.tenant(scope, async (tx) => {
    const row = await backups.need(tx, id)
    const wanted = jobOf(kernel, asked, row)
    if (row.status !== 'completed') throw apiErrors.conflict({ what: `This backup is ${row.status}.` })
    if (size !== row.size_bytes) throw errors.backupUnverified({ check: 'file' })
    const job = kernel.random.uuid()
    await tx.enqueue({ id: job, ...wanted })
    const into = wanted.kind === copyKind ? String(wanted.payload.into) : null
    const after = { mode, job_id: job, ...(into === null ? {} : { tenant_id: into }) }
    await tx.audit('admin.backup.restore', { target: `backup:${id}`, after })
    return { id: job, backup_id: id, mode, status: 'queued', tenant_id: into }
  })
}

/** Only operators may learn that other tenants exist. */
function assertModest({ actor, body: { mode = 'verify', tenant_id: tenantId } }: Asked): void {
  if (tenantId !== undefined && tenantId !== actor.tenantId) throw apiErrors.notFound({ what: 'tenant' })
  if (mode !== 'verify') throw authErrors.forbidden({ permission: 'super_admin' })
}

/** A place that does not answer has no file. */
const sizeOf = (kernel: Kernel, { id, target }: BackupRow): Promise<number | null> =>
  placeOf(kernel, target)
    .size(id)
    .catch(() => null)

/** Members that each mode takes; a member of another mode is an error and is not ignored. */
const membersOf = {
  verify: [],
  replace: ['confirm'],
  as_new_tenant: ['tenant_id', 'slug', 'name'],
} as const satisfies Record<NonNullable<RestoreBackup['mode']>, readonly (keyof RestoreBackup)[]>

function jobOf(kernel: Kernel, asked: Asked, row: BackupRow): JobRequest {
  const { mode = 'verify', ...members } = asked.body
  const known: readonly string[] = membersOf[mode]
  const strange = Object.keys(members).find((name) => !known.includes(name))
  if (strange !== undefined) throw invalid(`/${strange}`, `The mode ${mode} has no use for ${strange}.`)
  const payload = { backup_id: row.id }
  if (mode === 'verify') return { kind: verifyKind, payload }
  assertFresh(asked.actor, kernel.clock)
  if (mode === 'as_new_tenant') return { kind: copyKind, payload: { ...copyOrder(kernel, asked, row) } }
  assertReplaces(kernel, asked, row)
  return { kind: replaceKind, payload, key: row.id }
}

function assertReplaces(kernel: Kernel, { id, body }: Asked, row: BackupRow): void {
  if (body.confirm !== `replace ${id}`) throw invalid('/confirm', `Confirm with the words "replace ${id}".`)
  if (row.kind !== 'full') throw apiErrors.conflict({ what: 'Only a backup of the whole installation can replace it.' })
  if (!kernel.gate.closed()) throw errors.notInMaintenance()
}

/** The new tenant is below the operator's own, wherever the source was. */
function copyOrder({ random }: Kernel, { actor, body }: Asked, row: BackupRow): CopyOrder {
  const { slug, name = slug } = body
  if (slug === undefined || name === undefined) throw invalid('/slug', 'A new tenant needs a slug.')
  const source = row.kind === 'tenant' ? row.tenant_id : body.tenant_id
  if (source === undefined) throw invalid('/tenant_id', 'Name the tenant whose rows are restored.')
  if (body.tenant_id !== undefined && body.tenant_id !== source)
    throw invalid('/tenant_id', 'This backup is of another tenant.')
  const [from, into] = [source, random.uuid()] as readonly string[] as readonly [TenantId, TenantId]
  return { backup_id: row.id, source: from, into, parent: actor.homeTenantId, name, slug }
}

function invalid(pointer: string, detail: string) {
  return apiErrors.validation({ what: detail }).at([{ detail, pointer }])
}
