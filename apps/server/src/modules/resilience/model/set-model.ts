/**
 * Sets the service model. Promises that a model with a fault is refused before anything is stored, that versions are never
 * overwritten, and that every service is judged anew in the transaction of the change. Tested in model.test.ts.
 */
import type { Actor } from '../../../kernel/access/actor.ts'
import type { TenantScope, Tx } from '../../../kernel/db/port.ts'
import { apiErrors } from '../../../kernel/errors/errors.ts'
import { systemCaller } from '../../../kernel/facts/facts.ts'
import type { Precondition } from '../../../kernel/http/answer/etag.ts'
import { Versioned } from '../../../kernel/module/route.ts'
import type { ModelChange, ModelParts, PatchModel, Prediction } from '../declared/model-schema.ts'
import { models } from '../declared/model-tables.ts'
import { errors } from '../errors/errors.ts'
import type { ResilienceServices } from '../services/resilience-services.ts'
import { analyzeModel } from './analyze-task.ts'
import { assessAll } from './assess.ts'
import { changedModel, diffOf, emptyModel, newestModel, warningsOf } from './model.ts'
import { platformMap } from './platform-map.ts'

export interface ModelRequest {
  readonly scope: TenantScope
  readonly actor: Actor
  readonly body: PatchModel
  readonly precondition: Precondition
}

/** @throws RES-001, RES-002, API-012 */
export async function setModel(
  services: ResilienceServices,
  { scope, actor, body, precondition }: ModelRequest,
): Promise<Versioned<ModelChange>> {
  const { kernel } = services
  const { before, platform } = await kernel.db.tenant({ ...scope, readOnly: true }, async (tx) => ({
    before: await newestModel(tx),
    platform: body.platform === true ? await livePlatform(services, tx) : [],
  }))
  const number = before?.number ?? 0
  precondition.expectVersion(number)
  const old: ModelParts = before ?? emptyModel
  const after = changedModel(old, body, platform)
  refuseUnknownRemovals(old, body)
  const predictions = await analyzed(services, after)
  const diff = diffOf(old, after)
  const change = {
    dry_run: body.dry_run === true,
    services: after.services.length,
    diff,
    single_points: singlePointsOf(predictions),
    warnings: warningsOf(after, predictions),
  }
  if (body.dry_run === true) return new Versioned({ ...change, model_version: number }, number)
  const stored = await kernel.db.tenant(scope, (tx) =>
    storeModel(services, tx, { parts: after, predictions, expected: number, by: actor.userId, cause: 'request', diff }),
  )
  return new Versioned({ ...change, model_version: stored }, stored)
}

export async function livePlatform({ kernel, facts }: ResilienceServices, tx: Tx) {
  const { data } = await facts().read(tx, 'gateway.providers', { caller: systemCaller })
  return platformMap(kernel, data as unknown as Parameters<typeof platformMap>[1])
}

/** @throws RES-001, RES-002 */
export async function analyzed(
  { kernel }: Pick<ResilienceServices, 'kernel'>,
  parts: ModelParts,
): Promise<ReadonlyMap<string, Prediction>> {
  const found = await kernel.threads.run(analyzeModel, parts)
  if ('predictions' in found) return new Map(found.predictions)
  const [first] = found.faults
  const error = first?.kind === 'objective' ? errors.objectiveInconsistent : errors.modelInvalid
  throw error({ what: first?.detail ?? 'The model has a fault.' }).at(
    found.faults.map(({ pointer, detail }) => ({ pointer, detail })),
  )
}

function refuseUnknownRemovals({ services }: ModelParts, { remove = [] }: PatchModel): void {
  const known = new Set(services.map(({ key }) => key))
  const wrong = remove.flatMap((key, i) =>
    known.has(key) ? [] : [{ pointer: `/remove/${i}`, detail: `There is no service ${key}.` }],
  )
  if (wrong.length > 0) throw errors.modelInvalid({ what: wrong[0]?.detail ?? '' }).at(wrong.slice(0, 20))
}

function singlePointsOf(predictions: ReadonlyMap<string, Prediction>): ModelChange['single_points'] {
  return [...predictions].flatMap(([service, { single_points: points }]) => {
    const keys = points.filter((point) => predictions.has(point))
    return keys.length > 0 ? [{ service, caused_by: keys }] : []
  })
}

export interface NewModel {
  readonly parts: ModelParts
  readonly predictions: ReadonlyMap<string, Prediction>
  /** The version that the change began from. */
  readonly expected: number
  readonly by: string | null
  readonly cause: 'seed' | 'request'
  readonly diff: ModelChange['diff']
}

/** Stores the next version and judges its services; gives its number. @throws API-012 when another change came first */
export async function storeModel(
  { kernel }: Pick<ResilienceServices, 'kernel'>,
  tx: Tx,
  { parts, predictions, expected, by, cause, diff }: NewModel,
): Promise<number> {
  await tx.lock('resilience.model', tx.tenantId)
  if (((await newestModel(tx))?.number ?? 0) !== expected) throw apiErrors.preconditionFailed()
  const number = expected + 1
  const id = kernel.random.uuid()
  await models.insert(tx, {
    ...{ tenant_id: tx.tenantId, id, number, cause, created_by: by, created_at: kernel.clock.iso() },
    ...{ services: [...parts.services], common_causes: [...parts.common_causes] },
  })
  await assessAll(kernel, tx, { parts, predictions, number })
  await tx.audit('resilience.model.update', {
    target: `resilience_model:${id}`,
    before: { version: expected },
    after: { version: number, ...diff },
  })
  return number
}
