/** The service model: the newest version, and what a change makes of it. Tested in model.test.ts. */

import { canonicalHash } from '../../../kernel/crypto/canonical-json.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type {
  ModelChange,
  ModelParts,
  ModelRow,
  PatchModel,
  Prediction,
  ServiceBody,
} from '../declared/model-schema.ts'
import { models } from '../declared/model-tables.ts'

export async function newestModel(tx: Tx): Promise<ModelRow | null> {
  return tx.first(sql<ModelRow>`
    select ${models.columns} from resilience_model order by number desc limit 1`)
}

export const emptyModel: ModelParts = { services: [], common_causes: [] }

/** The model after a change. @param platform services that the running platform adds */
export function changedModel(before: ModelParts, patch: PatchModel, platform: readonly ServiceBody[]): ModelParts {
  const isMerge = patch.mode === 'merge'
  const given = patch.services ?? []
  const removed = new Set(patch.remove ?? [])
  const kept = isMerge ? before.services.filter(({ key }) => !removed.has(key)) : []
  // Twice the same key in one body is a fault of the caller's, which the check names.
  const replaced = new Map(given.map((service) => [service.key, service]))
  const known = new Set(kept.map(({ key }) => key))
  const merged = [
    ...kept.map((service) => replaced.get(service.key) ?? service),
    ...(isMerge
      ? given.filter(({ key }, i) => !known.has(key) || given.findIndex((one) => one.key === key) !== i)
      : given),
  ]
  return {
    services: withPlatform(merged, platform),
    common_causes: patch.common_causes ?? (isMerge ? [...before.common_causes] : []),
  }
}

/** People's own words about a part of the platform stay; its dependencies follow the configuration. */
function withPlatform(services: readonly ServiceBody[], platform: readonly ServiceBody[]): ServiceBody[] {
  const live = new Map(platform.map((service) => [service.key, service]))
  const known = new Set(services.map(({ key }) => key))
  return [
    ...services.map((service) => {
      const found = live.get(service.key)
      return found?.dependencies === undefined ? service : { ...service, dependencies: found.dependencies }
    }),
    ...platform.filter(({ key }) => !known.has(key)),
  ]
}

export function diffOf(before: ModelParts, after: ModelParts): ModelChange['diff'] {
  const old = new Map(before.services.map((service) => [service.key, canonicalHash(service)]))
  const kept = new Set(after.services.map(({ key }) => key))
  return {
    added: after.services.flatMap(({ key }) => (old.has(key) ? [] : [key])),
    changed: after.services.flatMap((service) =>
      old.has(service.key) && old.get(service.key) !== canonicalHash(service) ? [service.key] : [],
    ),
    removed: before.services.flatMap(({ key }) => (kept.has(key) ? [] : [key])),
  }
}

/** Gaps that leave an objective without a prediction. */
export function warningsOf({ services }: ModelParts, predictions: ReadonlyMap<string, Prediction>): string[] {
  return services
    .flatMap(({ key, objectives = {} }) => {
      const found = predictions.get(key)
      const missing: string[] = []
      if (objectives.rto_minutes !== undefined && found?.rto == null)
        missing.push(`${key} has an RTO and no recovery steps: nothing predicts it.`)
      if (objectives.rpo_minutes !== undefined && found?.rpo == null)
        missing.push(`${key} has an RPO and no copies of its data: nothing predicts it.`)
      if (objectives.availability !== undefined && found?.availability == null)
        missing.push(`${key} has too many components for an exact availability: simulate it.`)
      return missing
    })
    .slice(0, 100)
}
