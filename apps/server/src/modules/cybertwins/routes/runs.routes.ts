import Type from 'typebox'
import { apiErrors } from '../../../kernel/errors/errors.ts'
import { scopeOf } from '../../../kernel/module/request-scope.ts'
import { routesOf } from '../../../kernel/module/route.ts'
import { includedIn, includeOf } from '../../../kernel/schema/include.ts'
import { strictObject } from '../../../kernel/schema/types.ts'
import { createAnalysis } from '../analysis/create.ts'
import { analysisView, findAnalysis } from '../analysis/read.ts'
import { analysisRun } from '../analysis/run.ts'
import { createCampaign } from '../campaigns/create.ts'
import { campaignView } from '../campaigns/read.ts'
import { campaignRun } from '../campaigns/run.ts'
import { Analysis, NewAnalysis } from '../declared/analysis-schema.ts'
import { Campaign, NewCampaign } from '../declared/campaign-schema.ts'
import { campaigns } from '../declared/tables.ts'
import { errors } from '../errors/errors.ts'
import { createOrCancel } from '../runs/run-kind.ts'
import type { TwinServices } from '../services/twin-services.ts'

const route = routesOf<TwinServices>()
const everything: ReadonlySet<string> = new Set()

/** An id, or `latest`. */
const AnalysisId = Type.String({
  pattern: '^(latest|[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})$',
  maxLength: 36,
})

const members = (include: string | undefined): ReadonlySet<string> =>
  include === undefined ? everything : includedIn(include)

export const runRoutes = [
  route.post('/attack-paths', {
    permission: 'cybertwins:write',
    summary: 'Analyze attack paths',
    description:
      'From all entry points to all crown jewels, unless `source_ids` and `target_ids` say otherwise; of the current state, unless `graph_id` names a snapshot. The answer has the k best paths, the probability that each target is reached by any way (exact where at most 22 uncertain steps matter, else simulated), choke points, cheapest cuts, the two changes that together lower it most, and what-ifs with the same random numbers. Equal inputs and seed give equal results. Up to 2,000 assets it is complete at once, beyond that a job does it, and `job.progress` tells how far it is. `{"cancel": id}` cancels one.',
    body: NewAnalysis,
    returns: [201, Analysis],
    alternatives: [[200, Analysis]],
    audit: 'cybertwins.attack_path.create',
    rateClass: 'expensive',
    ownTransactions: true,
    errors: [errors.unknownReference, errors.nothingToAnalyze, errors.limitExceeded, errors.alreadyFinished],
    handler: (context) => {
      const { kernel, services, actor, body } = context
      return createOrCancel(kernel, scopeOf(context), {
        ...{ kind: analysisRun, cancel: body.cancel },
        create: (scope) => createAnalysis(services, { scope, userId: actor.userId, body }),
        view: (row) => analysisView(row, everything),
      })
    },
  }),
  route.get('/attack-paths/{attack_path_id}', {
    permission: 'cybertwins:read',
    summary: 'See an analysis of attack paths',
    description: '`latest` instead of an id is the newest completed one of the crown jewels.',
    params: { attack_path_id: AnalysisId },
    query: strictObject({
      include: Type.Optional(includeOf('paths', 'choke_points', 'cut', 'blast_radius', 'toxic', 'what_if')),
    }),
    returns: [200, Analysis],
    errors: [apiErrors.notFound],
    handler: async ({ tx, params, query }) =>
      analysisView(await findAnalysis(tx, params.attack_path_id), members(query.include)),
  }),
  route.post('/campaigns', {
    permission: 'cybertwins:write',
    summary: 'Simulate a campaign',
    description:
      'Steps in order, by Monte Carlo: own `steps`, a case study of MITRE ATLAS (`case_study`), the techniques of a group or campaign of the threat library (`attack_campaign`), or, without any, the best paths of the graph from `start_id` to `goal_id`. A step whose technique occurs in the graph has the probability that it has there, with the measured efficacy of guardrails. Nothing is executed anywhere. `{"cancel": id}` cancels one.',
    body: NewCampaign,
    returns: [201, Campaign],
    alternatives: [[200, Campaign]],
    audit: 'cybertwins.campaign.create',
    rateClass: 'expensive',
    ownTransactions: true,
    errors: [errors.unknownReference, errors.nothingToAnalyze, errors.limitExceeded, errors.alreadyFinished],
    handler: (context) => {
      const { kernel, services, actor, body } = context
      return createOrCancel(kernel, scopeOf(context), {
        ...{ kind: campaignRun, cancel: body.cancel },
        create: (scope) => createCampaign(services, { scope, userId: actor.userId, body }),
        view: (row) => campaignView(row, everything),
      })
    },
  }),
  route.get('/campaigns/{campaign_id}', {
    permission: 'cybertwins:read',
    summary: 'See a campaign',
    query: strictObject({ include: Type.Optional(includeOf('ttc', 'steps', 'coverage')) }),
    returns: [200, Campaign],
    errors: [apiErrors.notFound],
    handler: async ({ tx, params, query }) =>
      campaignView(await campaigns.need(tx, params.campaign_id), members(query.include)),
  }),
]
