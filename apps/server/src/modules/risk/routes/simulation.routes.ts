import Type from 'typebox'
import type { Tx } from '../../../kernel/db/port.ts'
import { apiErrors } from '../../../kernel/errors/errors.ts'
import { acceptedForm } from '../../../kernel/http/answer/accept.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import { scopeOf } from '../../../kernel/module/request-scope.ts'
import { routesOf, StreamAnswer } from '../../../kernel/module/route.ts'
import { includedIn, includeOf } from '../../../kernel/schema/include.ts'
import { oneOf, strictObject, Uuid } from '../../../kernel/schema/types.ts'
import { errors } from '../errors/errors.ts'
import type { RiskServices } from '../register/register-parts.ts'
import { appetiteOf, tenantAppetite } from '../register/settings.ts'
import { risks } from '../register/tables.ts'
import { cancelSimulation } from '../simulations/cancel.ts'
import { createSimulationOf } from '../simulations/create-simulation.ts'
import { curveSvg } from '../simulations/curve-svg.ts'
import { findSimulation, simulationView } from '../simulations/read-simulation.ts'
import { kinds, NewSimulation, Simulation, type SimulationRow } from '../simulations/schema.ts'

const route = routesOf<RiskServices>()
const svg = 'image/svg+xml'

/** An id, or `latest`. */
const SimulationId = Type.String({
  pattern: '^(latest|[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})$',
  maxLength: 36,
})

export const simulationRoutes = [
  route.post('/simulations', {
    permission: 'risk:write',
    summary: 'Simulate annual losses',
    description:
      '`scenario` runs one analysis by Monte Carlo, `portfolio` the sum of several, independent or correlated; `sensitivity` gives tornado and Sobol indices; `control_roi` simulates the same years without and with controls. Equal inputs and seed give equal losses (`losses_sha256`), whatever the number of threads. Runs in the background; the channel `job.progress` tells how far it is, with the id of the simulation as `key`.',
    body: NewSimulation,
    returns: [201, Simulation],
    audit: 'risk.simulation.create',
    rateClass: 'expensive',
    ownTransactions: true,
    errors: [
      errors.unknownReference,
      errors.distributionInvalid,
      errors.limitExceeded,
      errors.correlationInvalid,
      errors.tooManySimulations,
    ],
    handler: async (context) => {
      const { actor, body, kernel } = context
      const row = await createSimulationOf(kernel, { scope: scopeOf(context), userId: actor.userId, body })
      return simulationView(row, new Set())
    },
  }),
  route.get('/simulations/{simulation_id}', {
    permission: 'risk:read',
    summary: 'See a simulation',
    description:
      '`latest` instead of an id is the newest completed one, of a kind or a risk where the query names them. As `image/svg+xml` it is the loss exceedance curve with its band and a line at the tolerance.',
    params: { simulation_id: SimulationId },
    query: strictObject({
      include: Type.Optional(includeOf('lec', 'histogram', 'contributions', 'trace')),
      kind: Type.Optional(oneOf(...kinds)),
      risk_id: Type.Optional(Uuid),
    }),
    returns: [200, Simulation],
    files: [svg],
    errors: [apiErrors.notFound, apiErrors.conflict],
    handler: async ({ tx, kernel, params, query, request }) => {
      const { kind, risk_id: riskId } = query
      const row = await findSimulation(tx, {
        id: params.simulation_id,
        ...(kind === undefined ? {} : { kind }),
        ...(riskId === undefined ? {} : { riskId }),
      })
      if (acceptedForm(request.header('accept'), ['application/json', svg]) === svg)
        return new StreamAnswer(`${svg}; charset=utf-8`, once(await drawn(kernel, tx, row)))
      return simulationView(row, includedIn(query.include))
    },
  }),
  route.post('/simulations/{simulation_id}/cancel', {
    permission: 'risk:write',
    summary: 'Cancel a simulation',
    description: 'The blocks of 4,096 years that were done are kept, and their statistics follow within a moment.',
    returns: [200, Simulation],
    audit: 'risk.simulation.cancel',
    errors: [apiErrors.notFound, errors.alreadyFinished],
    handler: async ({ tx, kernel, params }) =>
      simulationView(await cancelSimulation(kernel, tx, params.simulation_id), new Set()),
  }),
]

async function drawn(kernel: Kernel, tx: Tx, row: SimulationRow): Promise<string> {
  const statistics = row.result?.statistics ?? null
  if (statistics === null) throw apiErrors.conflict({ what: 'This simulation has no curve yet.' })
  const appetite =
    row.kind === 'portfolio' ? tenantAppetite(kernel, tx.tenantId) : await appetiteOfRisk(kernel, tx, row)
  const tolerance = appetite?.currency === row.currency ? Number(appetite.tolerance) : null
  return curveSvg({ points: statistics.lec, currency: row.currency, tolerance })
}

async function appetiteOfRisk(kernel: Kernel, tx: Tx, { risk_ids: [id] }: SimulationRow) {
  const risk = id === undefined ? null : await risks.get(tx, id)
  return risk === null ? null : appetiteOf(kernel, tx.tenantId, risk)
}

async function* once(text: string): AsyncGenerator<string> {
  yield text
}
