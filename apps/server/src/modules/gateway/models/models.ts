/**
 * The models of a tenant: their entry into the catalogue, and the tenant's changes to them. Tested in models.test.ts.
 */
import type { Actor } from '../../../kernel/access/actor.ts'
import { isUniqueViolation } from '../../../kernel/db/errors.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { insertRows } from '../../../kernel/db/rows.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { Precondition } from '../../../kernel/http/answer/etag.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import { Versioned } from '../../../kernel/module/route.ts'
import { change, hold, newRow, resource } from '../../../kernel/resource/resource.ts'
import { errors } from '../declared/errors.ts'
import { configurationTopic } from '../policy/snapshot.ts'
import type { Model, OwnAbilities, PatchModel } from '../schemas/model.ts'
import { models } from '../schemas/tables.ts'
import { setPrice } from './model-prices.ts'
import { modelOf } from './models-view.ts'

const modelResource = resource({ table: models, kind: 'model', announces: configurationTopic })

export interface NewModels {
  readonly providerId: string
  readonly names: readonly string[]
  readonly source: 'builtin' | 'declared' | 'synced'
}

/** Adds models to the catalogue; existing ones stay unchanged. */
export async function addModels(
  kernel: Pick<Kernel, 'clock' | 'random'>,
  tx: Tx,
  { providerId, names, source }: NewModels,
): Promise<void> {
  const rows = [...new Set(names)].map((name) => ({ ...newRow(kernel, tx), provider_id: providerId, name, source }))
  if (rows.length === 0) return
  await tx.execute(sql`${insertRows(models, rows)} on conflict (tenant_id, provider_id, name) do nothing`)
}

export interface ModelChange {
  readonly id: string
  readonly input: PatchModel
  readonly precondition: Precondition
}

/**
 * Changes the tenant's settings of a model. @throws API-013, API-012, GW-031, API-001 for a price that begins in the
 * past
 */
export async function patchModel(
  kernel: Pick<Kernel, 'clock' | 'random'>,
  tx: Tx,
  { id, input, precondition, actor }: ModelChange & { readonly actor: Actor },
): Promise<Versioned<Model>> {
  const held = await hold(tx, modelResource, { id, precondition })
  const before = held.row
  const { price, aliases, capabilities, ...own } = input
  const can = abilitiesAfter(before.capabilities, capabilities)
  const oldAliases = await aliasesOf(tx, id)
  if (aliases !== undefined) await replaceAliases(tx, id, aliases ?? [])
  const priced = price === undefined ? null : await setPrice(kernel, tx, { model: before, price, by: actor.userId })
  const names = aliases === undefined ? oldAliases : (aliases ?? [])
  const row = await change(kernel, tx, held, {
    action: 'gateway.model.update',
    changes: { ...own, capabilities: can },
    before: { ...before, aliases: oldAliases },
    after: (changed) => ({ ...changed, aliases: names, ...(priced && { price: priced }) }),
  })
  return new Versioned(await modelOf(kernel, tx, row), row.version)
}

/** A merge patch: null restores the shipped values, of all or of one. */
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

/** A route takes precedence over an alias, so a route of the same name would hide it. @throws GW-031 */
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
    // Another request took one of the names since the check; the database does not report which.
    if (!isUniqueViolation(error, 'gateway_model_alias_name')) throw error
    throw errors.nameTaken({ what: 'alias', name: aliases.join(', ') }).causedBy(error)
  }
}
