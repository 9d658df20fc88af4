import Type from 'typebox'
import { apiErrors, authErrors } from '../../../kernel/errors/errors.ts'
import { scopeOf } from '../../../kernel/module/request-scope.ts'
import { routesOf } from '../../../kernel/module/route.ts'
import { strictObject } from '../../../kernel/schema/types.ts'
import { ActiveExperiments, Experiment, ExperimentAction, NewExperiment } from '../declared/experiment-schema.ts'
import { experiments } from '../declared/experiment-tables.ts'
import { errors } from '../errors/errors.ts'
import { act } from '../experiments/act.ts'
import { createExperiment } from '../experiments/create-experiment.ts'
import { isPlatformStopped, moveLever } from '../experiments/lever.ts'
import { activeExperiments, experimentView } from '../experiments/view.ts'
import type { ResilienceServices } from '../services/resilience-services.ts'

const route = routesOf<ResilienceServices>()
const uuid = '[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}'
const idOr = (word: string) => Type.String({ pattern: `^(${word}|${uuid})$`, maxLength: 36 })

export const chaosRoutes = [
  route.post('/chaos/experiments', {
    permission: 'resilience:write',
    summary: 'Start a chaos experiment, or see what it would do',
    description:
      'Faults of an approved scenario in the tenant’s own running calls. `dry_run` tells what would be hit. Above 10 per cent it takes `resilience:admin`, and there or with a service of criticality 5 a second person (`approve`). Faults end with `ttl_seconds`, `max_affected_calls`, a breached probe or guard, a person, the safety lever, or five seconds after the controller’s last word. Calls are chosen by a hash of seed and request id. `scope: synthetic` makes calls of its own through the offline provider and touches no others. `mode: scheduled` repeats the experiment on a timetable until it is aborted; it takes `resilience:admin`. Nothing starts in a blackout window (setting `resilience.blackout_windows`). An experiment also ends when calls of other tenants fail or slow down meanwhile.',
    body: NewExperiment,
    returns: [201, Experiment],
    audit: 'resilience.experiment.create',
    errors: [
      ...[authErrors.forbidden, errors.scenarioInvalid, errors.unknownReference],
      ...[apiErrors.validation, apiErrors.badCron, apiErrors.badTimeZone],
      ...[errors.protectedTarget, errors.blocked, errors.blastRadius],
    ],
    ownTransactions: true,
    handler: async (context) => {
      const { kernel, services, actor, body } = context
      const platformStopped = await isPlatformStopped(kernel)
      return kernel.db.tenant(scopeOf(context), async (tx) => {
        const row = await createExperiment(services, tx, { actor, body, platformStopped })
        return experimentView(tx, row)
      })
    },
  }),
  route.get('/chaos/experiments/{experiment_id}', {
    permission: 'resilience:read',
    summary: 'See a chaos experiment with its journal',
    description:
      '`active` instead of an id lists what runs now and the state of the safety levers. The journal has every probed value and every injected fault with its request id, at most 500 entries after `since_seq`.',
    params: { experiment_id: idOr('active') },
    query: strictObject({
      since_seq: Type.Optional(Type.Integer({ minimum: 0, maximum: 2_000_000_000 })),
    }),
    returns: [200, Type.Union([Experiment, ActiveExperiments])],
    errors: [apiErrors.notFound],
    ownTransactions: true,
    handler: async (context) => {
      const { kernel, params, query } = context
      const { experiment_id: id } = params
      const scope = { ...scopeOf(context), readOnly: true }
      if (id !== 'active')
        return kernel.db.tenant(scope, async (tx) =>
          experimentView(tx, await experiments.need(tx, id), query.since_seq ?? 0),
        )
      const platformStopped = await isPlatformStopped(kernel)
      return kernel.db.tenant(scope, (tx) => activeExperiments(tx, platformStopped))
    },
  }),
  route.post('/chaos/experiments/{experiment_id}/actions', {
    permission: 'resilience:write',
    summary: 'Approve, abort or finish a chaos experiment, or move the safety lever',
    description:
      '`abort` and `finish` take the faults off on every instance at once. With the id `all`, `engage_lever` stops everything of the tenant (`scope: platform`, by operators: of the platform), and nothing starts until `release_lever`, which takes `resilience:admin`.',
    params: { experiment_id: idOr('all') },
    body: ExperimentAction,
    returns: [200, Type.Union([Experiment, ActiveExperiments])],
    audit: 'resilience.experiment.act',
    errors: [
      ...[apiErrors.notFound, apiErrors.validation, authErrors.forbidden],
      ...[errors.blocked, errors.wrongState, errors.secondPerson],
    ],
    ownTransactions: true,
    handler: async (context) => {
      const { kernel, services, actor, body } = context
      const { experiment_id: id } = context.params
      const isLever = body.action === 'engage_lever' || body.action === 'release_lever'
      if (id === 'all' && !isLever)
        throw apiErrors
          .validation({ what: 'With the id `all` only the safety lever is moved.' })
          .at([{ detail: 'Use engage_lever or release_lever.', pointer: '/action' }])
      const platformStopped = await isPlatformStopped(kernel)
      return kernel.db.tenant(scopeOf(context), async (tx) => {
        if (id !== 'all') return experimentView(tx, await act(services, tx, { id, actor, body, platformStopped }))
        await moveLever(kernel, tx, actor, body)
        const isPlatform = body.scope === 'platform'
        return activeExperiments(tx, isPlatform ? body.action === 'engage_lever' : platformStopped)
      })
    },
  }),
]
