/**
 * Lineage down to the model: a model call names the datasets that its prompt was made of in `metadata.datasets`
 * (`namespace|name`, several with commas between them), and each becomes an edge from the dataset to the models that may
 * answer and to the agent that asks, before the prompt leaves. Labels count on the way: a dataset above the allowed level
 * refuses the call. Tested in consent/consents.test.ts.
 */
import type { TenantId } from '../../../kernel/access/actor.ts'
import { canonicalHash } from '../../../kernel/crypto/canonical-json.ts'
import { insertRows } from '../../../kernel/db/rows.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { type InputGuard, inputGuard, type Verdict } from '../../gateway/ports/call-guards.ts'
import type { EdgeRow, NodeKind } from '../declared/lineage-schema.ts'
import { edges } from '../declared/lineage-tables.ts'
import type { Place } from '../engine/read-event.ts'
import type { DataGovServices } from '../services/data-gov-services.ts'
import { type Level, labelsOf, levelAtLeast } from '../taxonomy/taxonomy.ts'
import { flowViolated } from './events.ts'
import { lineageTopic } from './memory.ts'
import { keyOf, nodeIds } from './nodes.ts'
import { modelMaxLevel } from './settings.ts'

const mostDatasets = 20
/** Flows known to be stored, by tenant and flow. */
const mostKnown = 50_000

interface End {
  readonly kind: NodeKind
  readonly place: Place
}

const placeOf = (namespace: string, name: string): Place => ({ namespace, name, field: null })

/** Datasets as `namespace|name`; what has no bar names nothing. */
export function datasetsIn(text: string): readonly Place[] {
  return text
    .split(',')
    .map((one) => one.trim())
    .flatMap((one) => {
      const bar = one.lastIndexOf('|')
      return bar <= 0 || bar === one.length - 1 ? [] : [placeOf(one.slice(0, bar), one.slice(bar + 1))]
    })
    .slice(0, mostDatasets)
}

export function flowGuard(services: DataGovServices): InputGuard {
  const known = new Set<string>()
  return inputGuard({
    name: 'data-gov.lineage',
    needs: ['metadata', 'targets'],
    limitMs: 5_000,
    judges: () => true,
    judge: ({ tenantId, agentId }, part) => {
      const named = part('metadata').datasets
      if (named === undefined) return []
      const datasets = datasetsIn(named)
      const models = part('targets').map(
        ({ provider, model }): End => ({ kind: 'model', place: placeOf(provider, model) }),
      )
      const agents: readonly End[] = agentId === null ? [] : [{ kind: 'agent', place: placeOf('parapet', agentId) }]
      return judgeFlows(services, known, { tenantId, datasets, ends: [...models, ...agents] })
    },
  })
}

interface Flows {
  readonly tenantId: TenantId
  readonly datasets: readonly Place[]
  readonly ends: readonly End[]
}

async function judgeFlows(services: DataGovServices, known: Set<string>, flows: Flows): Promise<readonly Verdict[]> {
  const { kernel } = services
  const allowed = kernel.settings.get(modelMaxLevel, flows.tenantId)
  const above = allowed === 'restricted' ? null : await datasetAbove(services, flows, allowed)
  if (above !== null) {
    await tellViolation(services, flows, { ...above, allowed })
    return [
      {
        decision: 'block',
        rule: 'data-level',
        reason: `A dataset of this call is ${above.level}, and models may take ${allowed} data at most.`,
      },
    ]
  }
  const fresh = flowsOf(flows).filter(({ key }) => !known.has(`${flows.tenantId} ${key}`))
  if (fresh.length === 0) return []
  await storeFlows(services, flows.tenantId, fresh)
  for (const { key } of fresh) {
    if (known.size >= mostKnown) known.delete(known.values().next().value ?? '')
    known.add(`${flows.tenantId} ${key}`)
  }
  return []
}

interface Above {
  readonly id: string
  readonly name: string
  readonly level: Level
}

async function datasetAbove(
  { lineage }: DataGovServices,
  { tenantId, datasets }: Flows,
  allowed: Level,
): Promise<Above | null> {
  const snapshot = await lineage.current(tenantId)
  const { bits } = snapshot.labels()
  for (const place of datasets) {
    const at = snapshot.byKey.get(keyOf('dataset', place))
    const level = at === undefined ? null : labelsOf(bits[at] ?? 0).level
    if (at !== undefined && level !== null && !levelAtLeast(allowed, level))
      return { id: snapshot.nodes[at]?.id ?? '', name: `${place.namespace}|${place.name}`.slice(0, 500), level }
  }
  return null
}

function tellViolation(
  { kernel }: DataGovServices,
  { tenantId, ends }: Flows,
  above: Above & { readonly allowed: Level },
): Promise<void> {
  const model = ends.find(({ kind }) => kind === 'model')?.place
  return kernel.db.tenant({ tenantId }, (tx) =>
    tx.emit(flowViolated, above.id, {
      ...{ dataset_id: above.id, dataset: above.name, level: above.level, allowed: above.allowed },
      model: model === undefined ? 'unknown' : `${model.namespace}/${model.name}`.slice(0, 500),
    }),
  )
}

interface NamedFlow {
  readonly key: string
  readonly dataset: Place
  readonly end: End
}

const flowsOf = ({ datasets, ends }: Flows): readonly NamedFlow[] =>
  datasets.flatMap((dataset) =>
    ends.map((end) => ({
      ...{ dataset, end },
      key: canonicalHash(['gateway', keyOf('dataset', dataset), keyOf(end.kind, end.place)]),
    })),
  )

async function storeFlows({ kernel }: DataGovServices, tenantId: TenantId, flows: readonly NamedFlow[]): Promise<void> {
  await kernel.db.tenant({ tenantId }, async (tx) => {
    const ends = flows.flatMap(({ dataset, end }): End[] => [{ kind: 'dataset', place: dataset }, end])
    const ids = await nodeIds(kernel, tx, ends)
    const at = kernel.clock.iso()
    const rows = flows.flatMap(({ key, dataset, end }): EdgeRow[] => {
      const [from, to] = [ids.get(keyOf('dataset', dataset)), ids.get(keyOf(end.kind, end.place))]
      if (from === undefined || to === undefined) return []
      return [
        {
          ...{
            id: kernel.random.uuid(),
            tenant_id: tenantId,
            created_at: at,
            updated_at: at,
            key,
            from_id: from,
            to_id: to,
          },
          ...{ level: 'dataset', type: null, subtype: null, masking: false, source: 'gateway', job_id: null },
          ...{ run_id: null, valid_from: at, valid_to: null },
        },
      ]
    })
    const added = await tx.execute(
      sql`${insertRows(edges, rows)} on conflict (tenant_id, key) where valid_to is null do nothing`,
    )
    if (added > 0) await tx.announce(lineageTopic, '*')
  })
}
