/** A new tenant's first version of the model, which is the platform itself, and the library of scenarios. */
import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { JobDeclaration } from '../../../kernel/module/module.ts'
import { add, newRow } from '../../../kernel/resource/resource.ts'
import { scenarioResource } from '../declared/scenario-tables.ts'
import { predict } from '../engine/exact.ts'
import { library } from '../scenarios/library.ts'
import type { ResilienceServices } from '../services/resilience-services.ts'
import { diffOf, emptyModel, newestModel } from './model.ts'
import { livePlatform, storeModel } from './set-model.ts'

export async function seedTenant(parts: ResilienceServices, tx: Tx): Promise<void> {
  const { kernel } = parts
  await tx.lock('resilience.seed', tx.tenantId)
  if ((await newestModel(tx)) === null) {
    const model = { services: [...(await livePlatform(parts, tx))], common_causes: [] }
    const seeded = { parts: model, predictions: predict(model), expected: 0, by: null, cause: 'seed' } as const
    await storeModel(parts, tx, { ...seeded, diff: diffOf(emptyModel, model) })
  }
  const known = await tx.first(sql`select 1 as one from resilience_scenario where builtin limit 1`)
  if (known !== null) return
  for (const entry of library)
    await add(tx, scenarioResource, {
      ...newRow(kernel, tx),
      ...entry,
      ...{ status: 'approved', builtin: true, chaostoolkit: null, not_executable: [], tags: ['builtin'] },
      ...{ changed_by: null, approved_by: null, hypothesis: { title: entry.name, probes: [] } },
    })
}

/** For tenants that are older than the module. */
export const seedJob: JobDeclaration<ResilienceServices> = {
  kind: 'resilience.seed',
  maxAttempts: 3,
  leaseMs: 60_000,
  everyMs: 60_000,
  due: () => sql`not exists (select from resilience_scenario held where held.tenant_id = tenant.id and held.builtin)`,
  run: ({ tenantId, kernel, services }) => kernel.db.tenant({ tenantId }, (tx) => seedTenant(services, tx)),
}
