import Type from 'typebox'
import { apiErrors } from '../../../kernel/errors/errors.ts'
import { routesOf } from '../../../kernel/module/route.ts'
import { includedIn, includeOf } from '../../../kernel/schema/include.ts'
import { strictObject } from '../../../kernel/schema/types.ts'
import { Evaluation, NewEvaluation } from '../declared/evaluation-schema.ts'
import { errors } from '../errors/errors.ts'
import { seeEvaluation, startEvaluation } from '../evaluations/evaluations.ts'
import type { SvcAiServices } from '../services/svc-ai-services.ts'

const route = routesOf<SvcAiServices>()

export const evaluationRoutes = [
  route.post('/evaluations', {
    permission: 'svc-ai:write',
    summary: 'Evaluate retrieval and answers on judged questions',
    description:
      'Runs in the background over the sources that you may read, under `baseline` and, where one is sent, `candidate`: nDCG, recall, MRR and context precision at `k`, latency, and the difference with a 95 % interval of a paired bootstrap. With `answers` the bound model is asked each question as a call of yours: groundedness, precision and recall of its citations, and whether it refuses the questions that it should.',
    body: NewEvaluation,
    bodyLimit: 4 * 1_048_576,
    returns: [201, Evaluation],
    audit: 'svc_ai.evaluation.create',
    rateClass: 'expensive',
    errors: [errors.unknownReference, errors.datasetInvalid, errors.tooManyEvaluations],
    handler: ({ tx, kernel, actor, body }) => startEvaluation(kernel, tx, { actor, input: body }),
  }),
  route.get('/evaluations/{evaluation_id}', {
    permission: 'svc-ai:read',
    summary: 'See an evaluation of yours',
    description: '`include=items` adds the measures of each question.',
    query: strictObject({ include: Type.Optional(includeOf('items')) }),
    returns: [200, Evaluation],
    errors: [apiErrors.notFound],
    handler: ({ tx, actor, params, query }) =>
      seeEvaluation(tx, { actor, id: params.evaluation_id, withItems: includedIn(query.include).has('items') }),
  }),
]
