/**
 * Asks for a simulation. Promises that what cannot be simulated is refused before anything is stored. Tested in
 * simulations.test.ts.
 */
import { canonicalHash } from '../../../kernel/crypto/canonical-json.ts'
import type { TenantScope, Tx } from '../../../kernel/db/port.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import { isLike } from '../chaos/rules.ts'
import type { ModelParts, ServiceBody } from '../declared/model-schema.ts'
import { scenarios } from '../declared/scenario-tables.ts'
import type { Inputs, NewSimulation, Override, SimulationRow } from '../declared/simulation-schema.ts'
import { simulations } from '../declared/simulation-tables.ts'
import { errors } from '../errors/errors.ts'
import { newestModel } from '../model/model.ts'
import { analyzed } from '../model/set-model.ts'
import { tellEnd } from './events.ts'
import { exactResultOf } from './result.ts'
import { runs } from './runs.ts'

/** Services times runs times years: at a few failures a year some minutes of one processor. */
const mostWork = 1e8

export interface SimulationRequest {
  readonly scope: TenantScope
  readonly userId: string
  readonly body: NewSimulation
}

/** @throws RES-001, RES-002, RES-005, RES-007 */
export async function createSimulation(
  kernel: Kernel,
  { scope, userId, body }: SimulationRequest,
): Promise<SimulationRow> {
  const { inputs, version } = await kernel.db.tenant({ ...scope, readOnly: true }, (tx) => inputsOf(tx, body))
  const { horizon_hours: horizon = 8_760, runs = 10_000, method = 'des' } = body
  if (method === 'des' && inputs.parts.services.length * runs * (horizon / 8_760) > mostWork)
    throw errors
      .limitExceeded({ what: 'The services times the runs times the years are more than 100,000,000.' })
      .at([{ detail: 'Ask for fewer runs.', pointer: '/runs' }])
  const predictions = await analyzed({ kernel }, inputs.parts)
  const result = method === 'exact' ? exactResultOf(inputs.parts, predictions) : null
  const now = kernel.clock.iso()
  const row: SimulationRow = {
    ...{ tenant_id: scope.tenantId, id: kernel.random.uuid(), created_at: now, updated_at: now, created_by: userId },
    ...{ scenario_id: body.scenario_id ?? null, method, model_version: version, inputs, horizon_hours: horizon, runs },
    seed: body.seed ?? String(BigInt(`0x${kernel.random.hex(7)}`)),
    ...{ status: result === null ? 'queued' : 'completed', progress: result === null ? 0 : 1, result },
    ...{ result_sha256: result === null ? null : canonicalHash(result), failure: null },
    ...{ started_at: result === null ? null : now, finished_at: result === null ? null : now },
  }
  return kernel.db.tenant(scope, async (tx) => {
    await store(tx, row)
    await tx.audit('resilience.simulation.create', {
      target: `resilience_simulation:${row.id}`,
      after: { method, scenario_id: row.scenario_id, model_version: version, runs, seed: row.seed },
    })
    return row
  })
}

/** Stores a simulation and its job, which has the same id. @throws RES-007 */
async function store(tx: Tx, row: SimulationRow): Promise<void> {
  if (row.status === 'completed') {
    await simulations.insert(tx, row)
    return tellEnd(tx, row, { status: 'completed', durationMs: 0 })
  }
  await runs.queue(tx, row)
}

/** @throws RES-005, RES-007 */
async function inputsOf(tx: Tx, body: NewSimulation): Promise<{ inputs: Inputs; version: number }> {
  const model = await newestModel(tx)
  if (model === null || model.services.length === 0)
    throw errors.limitExceeded({ what: 'There is no service model. Set one with PATCH /resilience/model.' })
  const keys = new Set(model.services.map(({ key }) => key))
  const failing = body.scenario_id === undefined ? {} : await failingOf(tx, body.scenario_id, keys)
  const parts = withOverrides(model, body.overrides ?? [])
  const isCurrent = body.overrides === undefined && body.scenario_id === undefined
  return { version: model.number, inputs: { parts, failing, is_current: isCurrent } }
}

async function failingOf(tx: Tx, id: string, keys: ReadonlySet<string>): Promise<Record<string, number>> {
  const scenario = await scenarios.get(tx, id)
  if (scenario === null)
    throw errors
      .unknownReference({ what: 'scenario' })
      .at([{ detail: 'There is no such scenario.', pointer: '/scenario_id' }])
  const found = scenario.failing_services.flatMap(({ service, at_minutes: at }) =>
    [...keys].flatMap((key) => (isLike(key, service) ? [[key, at] as const] : [])),
  )
  if (found.length === 0)
    throw errors.unknownReference({ what: 'service' }).at([
      {
        detail: 'No service of the model fails in the scenario. Name some in failing_services.',
        pointer: '/scenario_id',
      },
    ])
  return Object.fromEntries(found)
}

function withOverrides({ services, common_causes }: ModelParts, overrides: readonly Override[]): ModelParts {
  const known = new Set(services.map(({ key }) => key))
  const wrong = overrides.flatMap(({ service }, i) =>
    known.has(service) ? [] : [{ detail: `There is no service ${service}.`, pointer: `/overrides/${i}/service` }],
  )
  if (wrong.length > 0) throw errors.unknownReference({ what: 'service' }).at(wrong.slice(0, 20))
  const byKey = new Map(overrides.map((override) => [override.service, override]))
  return { services: services.map((service) => overridden(service, byKey.get(service.key))), common_causes }
}

function overridden(service: ServiceBody, override: Override | undefined): ServiceBody {
  if (override === undefined) return service
  const { recovery_steps: steps, failure, k } = override
  return {
    ...service,
    ...(steps === undefined ? {} : { recovery_steps: steps }),
    ...(failure === undefined ? {} : { failure }),
    ...(k === undefined
      ? {}
      : {
          dependencies: (service.dependencies ?? []).map((each) =>
            each.type === 'k_of_n' && each.group === k.group ? { ...each, k: k.k } : each,
          ),
        }),
  }
}
