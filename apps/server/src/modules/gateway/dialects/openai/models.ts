/**
 * The models and routes a caller may use, in OpenAI's form. A name shared by several providers is listed once by itself
 * and per provider as `provider/model`, which are the names a call can use. Tested in
 * embeddings/sdk-embeddings.test.ts.
 */
import Type, { type Static } from 'typebox'
import type { Actor } from '../../../../kernel/access/actor.ts'
import type { Tx } from '../../../../kernel/db/port.ts'
import { sql } from '../../../../kernel/db/sql.ts'
import { strictObject } from '../../../../kernel/schema/types.ts'
import { targetRefusal } from '../../plan/target-refusal.ts'
import { serves } from '../../plan/targets.ts'
import { callerPolicies } from '../../policy/callers.ts'
import type { TenantSnapshot } from '../../policy/snapshot.ts'
import type { Target } from '../../providers/provider.ts'
import { targetsOfRoute } from '../../route-model/route.ts'

export const OpenAiModel = strictObject({
  id: Type.String(),
  object: Type.Literal('model'),
  created: Type.Integer({ description: 'Unix seconds.' }),
  owned_by: Type.String(),
})
export const OpenAiModels = strictObject({ object: Type.Literal('list'), data: Type.Array(OpenAiModel) })
type OpenAiModel = Static<typeof OpenAiModel>

interface Known {
  readonly id: string
  readonly created: number
  readonly owner: string
}

/** The snapshot is loaded before the transaction is used, because loading queries the database. */
export async function openAiModels(
  tx: Tx,
  actor: Actor,
  snapshot: TenantSnapshot,
): Promise<Static<typeof OpenAiModels>> {
  const { effective } = callerPolicies(snapshot, actor, null)
  const usable = (target: Target): boolean => targetRefusal(target, effective) === null
  const targets = targetsOf(snapshot).filter(usable)
  const created = await creationTimes(tx)
  const names = new Set(targets.map(({ model }) => model))
  const aliases = targets.flatMap(aliasesOf)
  const hidden = new Set(aliases.map(({ id }) => id))
  const named = [...names].flatMap((name) =>
    namesOf(
      name,
      targets.filter(({ model }) => model === name),
    ),
  )
  const models = [...aliases, ...named.filter(({ id }) => !hidden.has(id))]
  const routes = (snapshot.routes ?? []).filter(
    (route) => !route.paused && targetsOfRoute(route, snapshot.providers, serves).some(usable),
  )
  const all: readonly Known[] = [
    ...models.map((one) => ({ ...one, created: created.models.get(`${one.owner}/${one.model}`) ?? 0 })),
    ...routes.map(({ id, name }) => ({ id: name, owner: 'route', created: created.routes.get(id) ?? 0 })),
  ]
  const data = all.map(
    ({ id, created: at, owner }): OpenAiModel => ({ id, object: 'model', created: at, owned_by: owner }),
  )
  return { object: 'list', data: data.toSorted((a, b) => (a.id < b.id ? -1 : 1)) }
}

function targetsOf({ providers }: TenantSnapshot): readonly Target[] {
  return providers
    .filter(({ enabled }) => enabled)
    .flatMap((provider) => {
      const named = provider.models.filter((pattern) => !pattern.includes('*'))
      const served = [...named, ...provider.knownModels].filter((model) => serves(provider, model))
      return [...new Set(served)].map((model) => ({ provider, model }))
    })
}

/** Aliases that the tenant gave a model; each takes precedence over models of the same name. */
function aliasesOf({ provider, model }: Target) {
  const aliases = provider.ownModels?.get(model)?.aliases ?? []
  return aliases.map((id) => ({ id, model, owner: provider.name }))
}

function namesOf(model: string, targets: readonly Target[]) {
  const [first] = targets
  if (first === undefined) return []
  const plain = { id: model, model, owner: first.provider.name }
  if (targets.length === 1) return [plain]
  return [plain, ...targets.map(({ provider }) => ({ id: `${provider.name}/${model}`, model, owner: provider.name }))]
}

interface Creation {
  readonly of: string
  readonly key: string
  readonly created: number
}

async function creationTimes(tx: Tx) {
  const rows = await tx.query(sql<Creation>`
    select 'model' as of, p.name || '/' || m.name as key, floor(extract(epoch from m.created_at))::int as created
    from gateway_model m join gateway_provider p on p.id = m.provider_id
    union all
    select 'route' as of, id::text as key, floor(extract(epoch from created_at))::int as created
    from gateway_route`)
  const of = (kind: string) => new Map(rows.filter((row) => row.of === kind).map(({ key, created }) => [key, created]))
  return { models: of('model'), routes: of('route') }
}
