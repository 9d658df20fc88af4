/** The catalogs of the program as rows of a tenant: all of them known, and the first ones adopted. */
import type { Tx } from '../../../kernel/db/port.ts'
import { insertMany } from '../../../kernel/db/rows.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import type { JobDeclaration } from '../../../kernel/module/module.ts'
import { newRow } from '../../../kernel/resource/resource.ts'
import { catalogs, digestOf, firstAdopted } from '../catalogs/catalogs.ts'
import type { BuiltinCatalog } from '../catalogs/form.ts'
import type { FrameworkRow } from '../declared/framework-schema.ts'
import { frameworks } from '../declared/framework-tables.ts'
import type { ComplianceServices } from '../services/compliance-services.ts'
import { addControls, controlsIn } from './control-rows.ts'

type Parts = Pick<Kernel, 'clock' | 'random'>

/** Weight of a framework in the trust score: laws count twice. */
export const weightOf = (mandatory: boolean): number => (mandatory ? 2 : 1)

const appliesPer = ['organization', 'ai_system', 'either'] as const

function builtinRow(kernel: Parts, tx: Tx, catalog: BuiltinCatalog): FrameworkRow {
  const { key, edition, title, publisher, license, source_url, text_policy, mandatory, soa, groups } = catalog
  const isFirst = firstAdopted.includes(key)
  const row = newRow(kernel, tx)
  return {
    ...row,
    ...{ key, edition, title, publisher, license, source_url, text_policy, mandatory, soa },
    ...{ source: 'builtin', status: 'published', sha256: digestOf(catalog) },
    applies_per: appliesPer.find((word) => word === catalog.applies_per) ?? 'either',
    ...{ control_count: catalog.counts.controls, withdrawn_count: 0 },
    groups: groups.map((group) => ({ id: group.id, title: group.title, parent: null })),
    adoption: isFirst ? 'adopted' : 'not_adopted',
    adopted_at: isFirst ? row.created_at : null,
    ...{ weight: weightOf(mandatory), document_id: null, profile_id: null, told_score: null },
  }
}

/** Adds the catalogs that the tenant does not have. */
export async function addBuiltins(kernel: Parts, tx: Tx): Promise<void> {
  const known = await tx.query(sql<{ key: string; edition: string }>`
    select key, edition from compliance_framework where source = 'builtin'`)
  const has = new Set(known.map(({ key, edition }) => `${key} ${edition}`))
  const rows = catalogs
    .filter(({ key, edition }) => !has.has(`${key} ${edition}`))
    .map((catalog) => ({ catalog, row: builtinRow(kernel, tx, catalog) }))
  await insertMany(
    tx,
    frameworks,
    rows.map(({ row }) => row),
  )
  for (const { catalog, row } of rows)
    if (row.adoption === 'adopted') await addControls(kernel, tx, row.id, controlsIn(catalog))
}

/** Tenants that were there before this module. */
export const builtinsJob: JobDeclaration<ComplianceServices> = {
  kind: 'compliance.builtins',
  maxAttempts: 3,
  leaseMs: 60_000,
  everyMs: 60_000,
  due: () => sql`not exists (select from compliance_framework held where held.tenant_id = tenant.id)`,
  run: ({ tenantId, kernel }) =>
    kernel.db.tenant({ tenantId }, async (tx) => {
      await tx.lock('compliance.frameworks', tx.tenantId)
      await addBuiltins(kernel, tx)
    }),
}
