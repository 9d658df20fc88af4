import { apiErrors } from '../../../kernel/errors/errors.ts'
import { scopeOf } from '../../../kernel/module/request-scope.ts'
import { routesOf } from '../../../kernel/module/route.ts'
import { ModelChange, PatchModel, ServiceFilter, ServiceObjectives } from '../declared/model-schema.ts'
import { services as serviceTable } from '../declared/model-tables.ts'
import { errors } from '../errors/errors.ts'
import { listServices } from '../model/read-services.ts'
import { setModel } from '../model/set-model.ts'
import type { ResilienceServices } from '../services/resilience-services.ts'

const route = routesOf<ResilienceServices>()

export const modelRoutes = [
  route.patch('/model', {
    permission: 'resilience:write',
    summary: 'Set or merge the service model',
    description:
      'Services with what they need, how they fail, how they are recovered, and how soon they must be back. Every change is a new version; `dry_run` tells what it would bring. `platform: true` adds the parts of the running platform from its live configuration. Durations are minutes, times between failures hours.',
    body: PatchModel,
    returns: [200, ModelChange],
    audit: 'resilience.model.update',
    rateClass: 'expensive',
    ownTransactions: true,
    errors: [errors.modelInvalid, errors.objectiveInconsistent, apiErrors.preconditionFailed],
    handler: (context) => {
      const { services, actor, body, precondition } = context
      return setModel(services, { scope: scopeOf(context), actor, body, precondition })
    },
  }),
  route.get('/rto-rpo', {
    permission: 'resilience:read',
    summary: 'List services with recovery objectives, evidence and verdicts',
    description:
      'Prediction and measurement side by side. Evidence ranks: incident, experiment, restore, simulation, declared. The verdict is that of the highest rank that decides: `met` when the lower bound of the probability reaches the level, `not_met` when the upper bound stays below, else `uncertain`.',
    query: ServiceFilter,
    returns: [200, ServiceObjectives],
    list: { table: serviceTable, default: '-criticality' },
    handler: ({ tx, page, query }) => listServices(tx, { page, filter: query }),
  }),
]
