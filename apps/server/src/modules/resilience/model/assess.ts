/**
 * Judges services: prediction and measurements become attainments, and a verdict that changed becomes an event. Promises
 * that rows, events and their cause are one transaction. Tested in model.test.ts.
 */
import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import { type Measurement, measurementsOf } from '../declared/measurements.ts'
import type { Estimate, ModelParts, Prediction, ServiceBody, ServiceRow } from '../declared/model-schema.ts'
import { services } from '../declared/model-tables.ts'
import type { ObjectiveName } from '../declared/words.ts'
import { attainmentOf, availabilityOf, worstOf } from '../engine/attainment.ts'
import { measuredEstimate } from '../engine/measured.ts'
import { objectiveBreached, objectiveRestored } from './events.ts'

type Parts = Pick<Kernel, 'clock' | 'random'>

export interface Assessed {
  readonly parts: ModelParts
  readonly predictions: ReadonlyMap<string, Prediction>
  readonly number: number
}

/** Puts the rows of a new version of the model in place of those before. */
export async function assessAll(kernel: Parts, tx: Tx, { parts, predictions, number }: Assessed): Promise<void> {
  const before = new Map(
    (await tx.query(sql<ServiceRow>`select ${services.columns} from resilience_service for update`)).map((row) => [
      row.key,
      row,
    ]),
  )
  const measured = await measurementsOf(tx, null)
  for (const service of parts.services) {
    const prediction = predictions.get(service.key)
    if (prediction === undefined) continue
    const old = before.get(service.key) ?? null
    before.delete(service.key)
    await storeService(kernel, tx, { service, prediction, number, old, measured: measured.get(service.key) ?? [] })
  }
  for (const [key, row] of before) {
    await services.remove(tx, row.id)
    for (const name of row.breached) await tellRestored(tx, key, name as ObjectiveName, null)
  }
}

/** Judges one service by what was measured since. Does nothing where the model has no such service. */
export async function assessService(
  kernel: Parts,
  tx: Tx,
  key: string,
  changed: (prediction: Prediction) => Prediction = (prediction) => prediction,
): Promise<ServiceRow | null> {
  const old = await tx.first(sql<ServiceRow>`
    select ${services.columns} from resilience_service where key = ${key} for update`)
  if (old === null) return null
  const measured = (await measurementsOf(tx, key)).get(key) ?? []
  const { document: service, model_version: number } = old
  return storeService(kernel, tx, { service, prediction: changed(old.prediction), number, old, measured })
}

interface Storing {
  readonly service: ServiceBody
  readonly prediction: Prediction
  readonly number: number
  readonly old: ServiceRow | null
  readonly measured: readonly Measurement[]
}

async function storeService(kernel: Parts, tx: Tx, input: Storing): Promise<ServiceRow> {
  const { service, prediction, number, old } = input
  const now = kernel.clock.iso()
  const judged = judge(input, now)
  const row: ServiceRow = {
    ...{ tenant_id: tx.tenantId, id: old?.id ?? kernel.random.uuid(), model_version: number },
    ...{ key: service.key, name: service.name, kind: service.kind, criticality: service.criticality },
    ...{ document: service, prediction, single_point: prediction.single_points.length > 0, ...judged },
    ...{ created_at: old?.created_at ?? now, updated_at: now },
  }
  if (old === null) await services.insert(tx, row)
  else await services.patch(tx, row.id, row)
  await tellChanges(tx, row, old?.breached ?? [])
  return row
}

function judge({ service, prediction, measured }: Storing, now: string) {
  const { objectives = {} } = service
  const attained = (name: 'rto' | 'rpo') => {
    const objective = objectives[`${name}_minutes`] ?? null
    const level = objectives.level
    const ofSource = (source: Measurement['source']): Estimate | null => {
      const found = measured.filter((each) => each.objective === name && each.source === source)
      const newest = Math.max(...found.map(({ started_at: at }) => Date.parse(at)))
      const ageDays = Math.max(0, (Date.parse(now) - newest) / 86_400_000)
      return measuredEstimate(
        found.map(({ minutes }) => minutes),
        { evidence: source, ageDays, objective, level },
      )
    }
    return attainmentOf(objective, [
      prediction[name],
      ...(['incident', 'experiment', 'restore'] as const).map(ofSource),
    ])
  }
  const [rto, rpo] = [attained('rto'), attained('rpo')]
  const availability = availabilityOf(
    objectives.availability ?? null,
    prediction.availability,
    prediction.availability_method,
  )
  const parts = { rto, rpo, availability }
  const breached = (Object.keys(parts) as ObjectiveName[]).filter((name) => parts[name].verdict === 'not_met')
  return {
    ...parts,
    breached: breached as string[],
    verdict: worstOf([rto.verdict, rpo.verdict, availability.verdict]),
  }
}

async function tellChanges(tx: Tx, row: ServiceRow, before: readonly string[]): Promise<void> {
  for (const name of row.breached as ObjectiveName[])
    if (!before.includes(name)) await tx.emit(objectiveBreached, row.id, toldOf(row, name))
  for (const name of before as ObjectiveName[])
    if (!row.breached.includes(name)) await tellRestored(tx, row.key, name, row)
}

async function tellRestored(tx: Tx, key: string, name: ObjectiveName, row: ServiceRow | null): Promise<void> {
  const gone = { service: key, objective: name, target: null, observed: null, evidence: null }
  await tx.emit(objectiveRestored, row?.id ?? key, row === null ? gone : toldOf(row, name))
}

function toldOf(row: ServiceRow, name: ObjectiveName) {
  if (name === 'availability') {
    const { objective: target, predicted: observed } = row.availability
    return { service: row.key, objective: name, target, observed, evidence: null }
  }
  const { objective_minutes: target, best, decided_by: evidence } = row[name]
  return { service: row.key, objective: name, target, observed: best?.p95 ?? null, evidence }
}
