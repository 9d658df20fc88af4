/** Faults of a model, by field. Pure. Tested in check-model.test.ts. */
import { createOutageSimulator, ModelError, ServiceModelError } from '@parapet/quant'
import type { ModelParts, ServiceBody } from '../declared/model-schema.ts'
import { groupsOf, planOfModel } from './plan.ts'

export interface ModelFault {
  readonly kind: 'model' | 'objective'
  readonly pointer: string
  readonly detail: string
}

/** Faults of a model, at most 20; none for one that can be analyzed. */
export function faultsOfModel(parts: ModelParts): readonly ModelFault[] {
  const found = [...nameFaults(parts), ...parts.services.flatMap(objectiveFaults)]
  return (found.length > 0 ? found : structureFaults(parts)).slice(0, 20)
}

function nameFaults({ services, common_causes: causes }: ModelParts): readonly ModelFault[] {
  const known = new Set(services.map(({ key }) => key))
  const fault = (pointer: string, detail: string): ModelFault => ({ kind: 'model', pointer, detail })
  const seen = new Set<string>()
  const repeated = services.flatMap(({ key }, i) => {
    const isNew = !seen.has(key)
    seen.add(key)
    return isNew ? [] : [fault(`/services/${i}/key`, `The key ${key} is used twice.`)]
  })
  const unknown = services.flatMap(({ key, dependencies = [] }, i) =>
    dependencies.flatMap(({ target, type, group }, j) => {
      const at = `/services/${i}/dependencies/${j}`
      if (!known.has(target)) return [fault(`${at}/target`, `${key} depends on ${target}, which is no service.`)]
      return type === 'k_of_n' && group === undefined
        ? [fault(`${at}/group`, 'A k_of_n dependency names its group.')]
        : []
    }),
  )
  const groups = services.flatMap((service, i) =>
    groupsOf(service).flatMap(({ name, k, targets }) =>
      k > targets.length
        ? [fault(`/services/${i}/dependencies`, `The group ${name} needs ${k} of ${targets.length} targets.`)]
        : [],
    ),
  )
  const members = causes.flatMap(({ members: names }, i) =>
    names.flatMap((name, j) =>
      known.has(name) ? [] : [fault(`/common_causes/${i}/members/${j}`, `${name} is no service.`)],
    ),
  )
  return [...repeated, ...unknown, ...groups, ...members]
}

function objectiveFaults({ objectives = {}, data }: ServiceBody, i: number): readonly ModelFault[] {
  const { rto_minutes: rto, mtpd_minutes: mtpd, rpo_minutes: rpo } = objectives
  const at = `/services/${i}/objectives`
  const found: ModelFault[] = []
  if (rto !== undefined && mtpd !== undefined && rto > mtpd)
    found.push({
      kind: 'objective',
      pointer: `${at}/rto_minutes`,
      detail: `The RTO of ${rto} minutes is longer than the maximum tolerable disruption of ${mtpd}.`,
    })
  if (rpo !== undefined && data !== undefined && rpo < data.lag_minutes)
    found.push({
      kind: 'objective',
      pointer: `${at}/rpo_minutes`,
      detail: `No copy can keep an RPO of ${rpo} minutes: it lags ${data.lag_minutes} minutes behind.`,
    })
  return found
}

function structureFaults(parts: ModelParts): readonly ModelFault[] {
  try {
    const { model, keys } = planOfModel(parts)
    try {
      createOutageSimulator(model)
      return []
    } catch (error) {
      if (!(error instanceof ServiceModelError)) throw error
      const path = error.cycle?.map((place) => keys[place] ?? '').join(' → ')
      const first = error.cycle?.[0] ?? 0
      const detail = path === undefined ? error.message : `Hard dependencies form a cycle: ${path}.`
      return [{ kind: 'model', pointer: `/services/${first}/dependencies`, detail }]
    }
  } catch (error) {
    if (!(error instanceof ModelError)) throw error
    return [{ kind: 'model', pointer: error.pointer, detail: error.message }]
  }
}
