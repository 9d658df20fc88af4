/** The models of a tenant: how they come into the catalogue, and what the tenant changes about them. Tested in models.test.ts. */
import type { Actor } from '../../../kernel/auth/actor.ts'
import { isUniqueViolation } from '../../../kernel/db/errors.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import { errors } from '../declared/errors.ts'
import { configurationTopic } from '../policy/snapshot.ts'
import { setPrice } from './model-prices.ts'
import type { Model, ModelRow, OwnAbilities, PatchModel } from '../schemas/model.ts'
import { models } from '../schemas/tables.ts'
import { modelOf } from './models-view.ts'

export interface NewModels {
  readonly providerId: string
  readonly names: readonly string[]
  readonly source: 'builtin' | 'declared' | 'synced'
}

/** Adds models to the catalogue; those that are there stay as they are. */
export async function addModels(
  kernel: Pick<Kernel, 'clock' | 'random'>,
  tx: Tx,
  { providerId, names, source }: NewModels,
): Promise<void> {
  const at = kernel.clock.iso()
  const rows = [...new Set(names)].map((name) => ({ id: kernel.random.uuid(), name }))
  if (rows.length === 0) return
  await tx.execute(
    sql`
      insert into gateway_model (id, provider_id, name, source, created_at, updated_at)
      select id, ${providerId}::uuid, name, ${source}, ${at}::timestamptz, ${at}::timestamptz
      from unnest(${rows.map(({ id }) => id)}::uuid[], ${rows.map(({ name }) => name)}::text[]) as new (id, name)
      on conflict (tenant_id, provider_id, name) do nothing`,
  )
}

export interface ModelChange {
  readonly id: string
  readonly input: PatchModel
  readonly expectVersion: (version: number) => void
}

/** Changes what the tenant says of a model. @throws API-013, API-012, GW-031, API-001 for a price that begins in the past */
export async function patchModel(
  kernel: Pick<Kernel, 'clock' | 'random'>,
  tx: Tx,
  { id, input, expectVersion, actor }: ModelChange & { readonly actor: Actor },
): Promise<{ readonly model: Model; readonly version: number }> {
  const before = await models.needForUpdate(tx, id)
  expectVersion(before.version)
  const { price, aliases, capabilities, ...own } = input
  const can = abilitiesAfter(before.capabilities, capabilities)
  const changes: Partial<ModelRow> = {
    ...own,
    capabilities: can,
    version: before.version + 1,
    updated_at: kernel.clock.iso(),
  }
  const row: ModelRow = { ...before, ...changes }
  const oldAliases = await aliasesOf(tx, id)
  await models.patch(tx, id, changes)
  if (aliases !== undefined) await replaceAliases(tx, id, aliases ?? [])
  const priced = price === undefined ? null : await setPrice(kernel, tx, { model: row, price, by: actor.userId })
  await tx.announce(configurationTopic, id)
  await tx.audit('gateway.model.update', {
    target: `model:${id}`,
    before: { ...before, aliases: oldAliases },
    after: { ...row, aliases: aliases === undefined ? oldAliases : (aliases ?? []), ...(priced && { price: priced }) },
  })
  return { model: await modelOf(kernel, tx, row), version: row.version }
}

/** A merge patch: null goes back to what is shipped, of all or of one. */
function abilitiesAfter(before: OwnAbilities, changes: PatchModel['capabilities']): OwnAbilities {
  if (changes === undefined) return before
  if (changes === null) return {}
  return Object.fromEntries(Object.entries({ ...before, ...changes }).filter(([, can]) => can !== null))
}

async function aliasesOf(tx: Tx, id: string): Promise<readonly string[]> {
  const rows = await tx.query(
    sql<{ alias: string }>`select alias from gateway_model_alias where model_id = ${id} order by alias`,
  )
  return rows.map(({ alias }) => alias)
}

/** A route stands before an alias, so one that is named so would hide it. @throws GW-031 */
async function replaceAliases(tx: Tx, id: string, aliases: readonly string[]): Promise<void> {
  const taken = await tx.first(
    sql<{ what: string; name: string }>`
      select 'alias' as what, alias as name from gateway_model_alias
      where alias = any(${aliases}::text[]) and model_id <> ${id}
      union all
      select 'route' as what, name from gateway_route where name = any(${aliases}::text[]) and status <> 'archived'
      limit 1`,
  )
  if (taken !== null) throw errors.nameTaken(taken)
  await tx.execute(sql`delete from gateway_model_alias where model_id = ${id}`)
  try {
    await tx.execute(
      sql`insert into gateway_model_alias (alias, model_id) select unnest(${aliases}::text[]), ${id}::uuid`,
    )
  } catch (error) {
    // Somebody else took one between the question and now; which one the database does not say.
    if (!isUniqueViolation(error, 'gateway_model_alias_name')) throw error
    throw errors.nameTaken({ what: 'alias', name: aliases.join(', ') }).causedBy(error)
  }
}
