import { apiErrors } from '../../../kernel/errors/errors.ts'
import { scopeOf } from '../../../kernel/module/request-scope.ts'
import { routesOf } from '../../../kernel/module/route.ts'
import { errors } from '../declared/errors.ts'
import type { GatewayServices } from '../services/gateway-services.ts'
import { NewSimulation, Simulation } from './schema.ts'
import { simulate } from './simulate.ts'

const route = routesOf<GatewayServices>()

export const simulationRoutes = [
  route.post('/policies/{policy_id}/simulate', {
    permission: 'gateway:admin',
    summary: 'Try a policy on messages or on logged calls',
    description:
      'Runs the steps that judge a call under this policy alone: its bounds, normalization, injection, sensitive data, content and, where an answer was kept, output. No provider and no outside classifier is asked, and nothing is counted. Logged calls are tried as they were kept, redacted and without metadata and attachments; a placeholder counts as what it stands for. Without `compare_to` the result is set against what became of the calls.',
    body: NewSimulation,
    returns: [201, Simulation],
    audit: 'gateway.policy.simulate',
    rateClass: 'expensive',
    ownTransactions: true,
    errors: [
      apiErrors.notFound,
      apiErrors.validation,
      errors.unknownTarget,
      errors.policyInvalid,
      errors.payloadNotRetained,
    ],
    handler: async (context) => {
      const { actor, params, body, services } = context
      return simulate(services, { scope: scopeOf(context), actor, policyId: params.policy_id, body })
    },
  }),
]
