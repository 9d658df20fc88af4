import Type from 'typebox'
import { apiErrors } from '../../../kernel/errors/errors.ts'
import { routesOf } from '../../../kernel/module/route.ts'
import { oneOf, strictObject, Timestamp, Uuid } from '../../../kernel/schema/types.ts'
import { errors } from '../declared/errors.ts'
import type { TrustParts } from '../declared/parts.ts'
import { PILLAR_NAMES } from '../engine/signals.ts'
import { explainScore } from './explain.ts'
import { listPillars, readPillarDetail } from './pillars.ts'
import { Explanation, PillarDetail, PillarSummary, Simulation, SimulationRequest } from './schemas.ts'
import { simulateScore } from './simulate.ts'

const route = routesOf<TrustParts>()

const Pillar = Type.String({ pattern: '^[a-z0-9_-]+$', maxLength: 36, description: PILLAR_NAMES.join(', ') })

export const explainRoutes = [
  route.get('/scores/explain', {
    permission: 'trust:read',
    summary: 'Explain the current trust score',
    description:
      'Shapley values of all signals and caps against a baseline, exact to the hundredth; the evidence that is missing; the dates at which the grade changes if no new evidence arrives; and the signals that would raise the score most.',
    query: strictObject({
      baseline: Type.Optional(
        Type.Union([oneOf('prior'), Uuid], { description: 'Default `prior`; or the id of a snapshot.' }),
      ),
      top: Type.Optional(Type.Integer({ minimum: 1, maximum: 50, description: 'Contributions to name. Default 50.' })),
    }),
    returns: [200, Explanation],
    rateClass: 'expensive',
    errors: [apiErrors.notFound],
    handler: ({ tx, query: { baseline = 'prior', top = 50 } }) => explainScore(tx, { baseline, top }),
  }),
  route.post('/scores/simulate', {
    permission: 'trust:read',
    summary: 'Simulate a change of the trust score',
    description:
      'Makes the changes to a copy of the evidence and the configuration of the last run, scores it by the same function at `at` (default: the moment of the last run), and divides the difference among the signals. Signals are measured at `at`; an event is closed at the moment of the last run and heals until `at` where its signal is refreshed. Nothing is written.',
    body: SimulationRequest,
    returns: [200, Simulation],
    rateClass: 'expensive',
    audit: 'trust.simulate',
    errors: [apiErrors.notFound, apiErrors.validation, errors.weights, errors.decay, errors.unknownTarget],
    // In a transaction that the database lets write nothing.
    ownTransactions: true,
    handler: ({ actor, body, kernel, services }) =>
      kernel.db.tenant({ tenantId: actor.tenantId, readOnly: true }, (tx) =>
        simulateScore(tx, body, services.clock.now()),
      ),
  }),
  route.get('/pillars', {
    permission: 'trust:read',
    summary: 'List the five pillars of the trust score',
    returns: [200, Type.Array(PillarSummary)],
    errors: [apiErrors.notFound],
    handler: ({ tx }) => listPillars(tx),
  }),
  route.get('/pillars/{pillar}', {
    permission: 'trust:read',
    summary: 'Read a pillar with its signals',
    description:
      'Each signal with its formula, raw counts, age and a link to its evidence. With `at` as of another moment: a past one with the evidence of then, a future one (up to 400 days) with the evidence of the last run, aged.',
    params: { pillar: Pillar },
    query: strictObject({ at: Type.Optional(Timestamp) }),
    returns: [200, PillarDetail],
    errors: [apiErrors.notFound, apiErrors.validation],
    handler: ({ tx, params, query, services }) =>
      readPillarDetail(tx, { pillar: params.pillar, now: services.clock.now(), ...query }),
  }),
]
