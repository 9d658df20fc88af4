import { apiErrors } from '../../../kernel/errors/errors.ts'
import { scopeOf } from '../../../kernel/module/request-scope.ts'
import { Answer, routesOf } from '../../../kernel/module/route.ts'
import { includedIn } from '../../../kernel/schema/include.ts'
import { NewSimulation, Simulation, SimulationQuery } from '../declared/simulation-schema.ts'
import { simulations } from '../declared/simulation-tables.ts'
import { errors } from '../errors/errors.ts'
import type { ResilienceServices } from '../services/resilience-services.ts'
import { createSimulation } from '../simulations/create-simulation.ts'
import { cancelSimulation } from '../simulations/settle.ts'
import { simulationView } from '../simulations/view.ts'

const route = routesOf<ResilienceServices>()

export const simulationRoutes = [
  route.post('/simulations', {
    permission: 'resilience:write',
    summary: 'Simulate outages, or cancel a simulation',
    description:
      '`des` runs the discrete-event simulation in the background: equal inputs and seed give an equal result (`result_sha256`), whatever the number of threads; the channel `job.progress` tells how far it is, with the id as `key`. `exact` is completed at once: availability by decision diagram, recovery by convolution. With `scenario_id` the services of the scenario fail at their time. A simulation of the model as it stands becomes the prediction of `GET /rto-rpo`. `cancel` ends one that is queued or running.',
    body: NewSimulation,
    returns: [201, Simulation],
    alternatives: [[200, Simulation]],
    audit: 'resilience.simulation.create',
    rateClass: 'expensive',
    ownTransactions: true,
    errors: [
      ...[errors.modelInvalid, errors.objectiveInconsistent, errors.unknownReference, errors.limitExceeded],
      apiErrors.validation,
    ],
    handler: async (context) => {
      const { actor, body, kernel } = context
      const scope = scopeOf(context)
      const { cancel, ...rest } = body
      if (cancel === undefined) {
        const row = await createSimulation(kernel, { scope, userId: actor.userId, body })
        return simulationView(row, new Set())
      }
      const [extra] = Object.keys(rest)
      if (extra !== undefined)
        throw apiErrors
          .validation({ what: '`cancel` stands alone in the body.' })
          .at([{ detail: 'Leave this out.', pointer: `/${extra}` }])
      const row = await kernel.db.tenant(scope, (tx) => cancelSimulation(kernel, tx, cancel))
      return new Answer(simulationView(row, new Set()), { status: 200 })
    },
  }),
  route.get('/simulations/{outage_simulation_id}', {
    permission: 'resilience:read',
    summary: 'See a simulation',
    description: 'The critical path counts the first 500 runs, the timeline is that of the first one.',
    query: SimulationQuery,
    returns: [200, Simulation],
    errors: [apiErrors.notFound],
    handler: async ({ tx, params, query }) =>
      simulationView(await simulations.need(tx, params.outage_simulation_id), includedIn(query.include)),
  }),
]
