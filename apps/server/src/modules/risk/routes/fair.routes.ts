import Type from 'typebox'
import { apiErrors } from '../../../kernel/errors/errors.ts'
import { scopeOf } from '../../../kernel/module/request-scope.ts'
import { routesOf } from '../../../kernel/module/route.ts'
import { includedIn, includeOf } from '../../../kernel/schema/include.ts'
import { strictObject } from '../../../kernel/schema/types.ts'
import { errors } from '../errors/errors.ts'
import { createAnalysis } from '../fair/analyses.ts'
import { seeAnalysis } from '../fair/read-analysis.ts'
import { Analysis, NewAnalysis } from '../fair/schema.ts'
import { analysisView } from '../fair/view.ts'
import type { RiskServices } from '../register/register-parts.ts'
import { queueForAnalysis } from '../simulations/create-simulation.ts'
import { simulationsOfAnalysis } from '../simulations/read-simulation.ts'

const route = routesOf<RiskServices>()

export const fairRoutes = [
  route.post('/fair/analyses', {
    permission: 'risk:write',
    summary: 'Analyze a risk with FAIR',
    description:
      'Stores the next version of the risk’s model with its result; no version is overwritten. The exact engine answers at once. `monte_carlo` and `both` queue a simulation, which completes the analysis. A completed analysis is the current one of its purpose and gives the risk its money; `what_if` changes nothing. With `dry_run` nothing is stored. `tef_from` takes the frequency of threat events from attempts of `techniques` observed since now, beside a `prior` or the exploitation activity of vulnerabilities (`epss`). With `horizon_years` the exact engine also gives the total loss of so many years. `controls` are valued by simulations of the kind `control_roi`; they do not change this result.',
    body: NewAnalysis,
    returns: [201, Analysis],
    audit: 'risk.analysis.create',
    rateClass: 'expensive',
    ownTransactions: true,
    errors: [
      errors.unknownReference,
      errors.modelStructure,
      errors.distributionInvalid,
      errors.limitExceeded,
      errors.tooManySimulations,
    ],
    handler: async (context) => {
      const { actor, body, kernel } = context
      const made = await createAnalysis(kernel, {
        scope: scopeOf(context),
        userId: actor.userId,
        body,
        simulate: (tx, analysis) => queueForAnalysis(kernel, tx, { analysis, body }),
      })
      return analysisView(made, new Set(['lec', 'histogram']), body.dry_run === true)
    },
  }),
  route.get('/fair/analyses/{analysis_id}', {
    permission: 'risk:read',
    summary: 'See a FAIR analysis',
    query: strictObject({ include: Type.Optional(includeOf('lec', 'histogram', 'nodes')) }),
    returns: [200, Analysis],
    errors: [apiErrors.notFound],
    handler: async ({ tx, params: { analysis_id: id }, query }) => ({
      ...(await seeAnalysis(tx, id, includedIn(query.include))),
      simulations: await simulationsOfAnalysis(tx, id),
    }),
  }),
]
