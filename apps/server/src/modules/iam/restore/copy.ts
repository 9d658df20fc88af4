/**
 * Restores a tenant of a backup next to the existing ones, as a new tenant, in which nobody can sign in until they are
 * invited again, because no credential of the source is copied. Platform operators of the source are not operators in
 * the copy. Tested in the admin module's copy.test.ts.
 */
import type { TenantId } from '../../../kernel/access/actor.ts'
import { BackupRefused } from '../../../kernel/backup/refused.ts'
import type { RestoredState } from '../../../kernel/backup/replace.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { UserRow } from '../accounts/status.ts'
import { directoryDigest } from '../directory/directory.ts'
import type { IamServices } from '../services/iam-services.ts'
import { users } from '../tables/users.ts'
import { addTenant, type NewTenant } from '../tenants/found-tenant.ts'
import { settleRestored } from './settle.ts'

/** @throws BackupRefused for a tenant that is not in it, or was deleted since */
export async function prepareCopy(services: IamServices, state: RestoredState, source: TenantId): Promise<void> {
  if (!state.tenants.includes(source)) throw new BackupRefused('tenant', 'it has no such tenant')
  const gone = await services.kernel.db.system('tenant of a backup', (tx) =>
    tx.first(sql`select id from iam_tenant where id = ${source} and status = 'deleted'`),
  )
  if (gone !== null) throw new BackupRefused('tenant', 'it was deleted since, and what was erased stays so')
  await settleRestored(services, { ...state, tenants: [source] })
  await state.db.tenant({ tenantId: source }, async (tx) => {
    await tx.execute(sql`
      delete from iam_user_role where role_id in (select id from iam_role where builtin = 'super_admin')`)
  })
}

/** Below the parent, with its keys and without first rows. @throws BackupRefused when the slug is taken */
export async function adoptTenant(
  services: IamServices,
  tx: Tx,
  { name, slug, parentId }: Pick<NewTenant, 'name' | 'slug'> & { readonly parentId: TenantId },
): Promise<void> {
  const parent = await tx.first(sql<{ id: string; path: readonly string[] }>`
    select id, path from iam_tenant where id = ${parentId} and status = 'active' and cardinality(path) < 5 for update`)
  if (parent === null) throw new BackupRefused('tenant', 'there is no tenant for it to be below')
  const added = await addTenant(services, tx, { name, slug, parent, region: null, settings: {}, quotas: {} })
  if (!added) throw new BackupRefused('slug', 'it is not available')
}

/** People who could sign in at the source become people with an expired invitation. Returns how many there are. */
export async function closeAccounts({ kernel }: IamServices, tx: Tx): Promise<number> {
  const now = kernel.clock.iso()
  await tx.execute(sql`
    update iam_user
    set password_hash = null, password_changed_at = null, must_change_password = false, mfa_deadline = null,
      password_expires_at = null, password_needs_factor = false, invited_by = null, invited_by_tenant = null, last_login_at = null, last_active_at = null,
      active_since = null, dormant_warned_at = null,
      status = case when type = 'human' and status in ('active', 'locked') then 'invited' else status end,
      status_reason = case when status = 'locked' then null else status_reason end,
      invitation_expires_at = case when type = 'human' and status in ('active', 'locked', 'invited')
        then ${now}::timestamptz end`)
  const people = await tx.query(sql<UserRow>`select ${users.columns} from iam_user where email_key is not null`)
  const digests = people.map(({ email_key }) => directoryDigest(kernel.platformKeys, 'email', email_key ?? ''))
  await tx.execute(sql`
    insert into iam_directory (kind, digest, home, subject)
    select 'email', digest, ${tx.tenantId}::uuid, subject
    from unnest(${digests}::text[], ${people.map(({ id }) => id)}::uuid[]) as t(digest, subject)`)
  return people.length
}
