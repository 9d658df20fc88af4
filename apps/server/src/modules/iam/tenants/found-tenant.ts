import type { Tx } from '../../../kernel/db/port.ts'
import { json, sql } from '../../../kernel/db/sql.ts'
import { insertStatement } from '../../../kernel/db/table.ts'
import { apiErrors } from '../../../kernel/errors/errors.ts'
import type { QuotaValues } from '../schemas/quotas.ts'
import type { SettingValues } from '../schemas/tenants.ts'
import type { IamServices } from '../services/iam-services.ts'
import { tenants } from '../tables/tenants.ts'

export interface NewTenant {
  readonly name: string
  readonly slug: string
  readonly parent: { readonly id: string; readonly path: readonly string[] } | null
  readonly region: string | null
  readonly settings: SettingValues
  readonly quotas: QuotaValues
}

/**
 * Makes the transaction's tenant: its row, its data key and every module's first rows.
 * @throws API-011 when the slug is taken
 */
export async function foundTenant(services: IamServices, tx: Tx, tenant: NewTenant): Promise<void> {
  if (!(await addTenant(services, tx, tenant)))
    throw apiErrors.conflict({ what: 'This slug is not available. Choose another one.' })
  await services.kernel.seedTenant(tx)
}

/** Its row and its data key; false when the slug is taken. */
export async function addTenant({ kernel }: IamServices, tx: Tx, tenant: NewTenant): Promise<boolean> {
  const at = kernel.clock.iso()
  const added = await tx.execute(sql`
    ${insertStatement(tenants.from, {
      id: tx.tenantId,
      parent_id: tenant.parent?.id ?? null,
      path: [...(tenant.parent?.path ?? []), tx.tenantId],
      name: tenant.name,
      slug: tenant.slug,
      status: 'active',
      region: tenant.region,
      settings: json(tenant.settings),
      quotas: json(tenant.quotas),
      created_at: at,
      updated_at: at,
    })}
    on conflict (slug) do nothing`)
  if (added > 0) await kernel.tenantKeys.create(tx)
  return added > 0
}

/** The id of a built-in role in the transaction's tenant. */
export async function builtinRoleId(tx: Tx, name: 'super_admin' | 'tenant_admin'): Promise<string> {
  const row = await tx.first(sql<{ id: string }>`select id from iam_role where builtin = ${name}`)
  if (row === null) throw new Error(`the tenant has no role ${name}`)
  return row.id
}
