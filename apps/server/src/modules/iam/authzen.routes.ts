/** The OpenID AuthZEN Authorization API 1.0: decisions for applications that ask before they act. */
import Type from 'typebox'
import type { RawForm } from '../../kernel/raw-form.ts'
import { routesOf } from '../../kernel/route.ts'
import { evaluate, evaluateAll } from './authzen/evaluate.ts'
import { Configuration, Decision, Decisions, Evaluation, Evaluations } from './authzen/schema.ts'
import type { IamServices } from './services.ts'

const route = routesOf<IamServices>()

/** The standard leaves the body of an error open; ours says what the problem documents of our own routes say. */
const form: RawForm = {
  under: '',
  echoesRequestId: true,
  errorSchema: Type.Object({
    error_code: Type.String(),
    status: Type.Integer(),
    title: Type.String(),
    detail: Type.String(),
    request_id: Type.String(),
    errors: Type.Array(
      Type.Object({ error_code: Type.String(), detail: Type.String(), pointer: Type.Optional(Type.String()) }),
    ),
  }),
  error: ({ code, status, title, message, members, parts }, { requestId }) => ({
    body: { error_code: code, status, title, detail: message, ...members, request_id: requestId, errors: parts },
  }),
}

const asking = { permission: 'iam:read', raw: form, open: true, audit: 'iam.access.evaluate' } as const

export const authzenRoutes = [
  route.post('/evaluation', {
    ...asking,
    summary: 'Decide whether a user or key may do something',
    description: 'Of the caller’s tenant. Subject types are user and api_key; a resource type is a module.',
    body: Evaluation,
    returns: [200, Decision],
    handler: ({ tx, body, kernel }) => evaluate(tx, body, kernel.clock.now()),
  }),
  route.post('/evaluations', {
    ...asking,
    summary: 'Decide up to a hundred questions at once',
    body: Evaluations,
    returns: [200, Decisions],
    handler: ({ tx, body, kernel }) => evaluateAll(tx, body, kernel.clock.now()),
  }),
]

export const authzenMetadataRoutes = [
  route.get('/authzen-configuration', {
    permission: 'public',
    raw: form,
    rateClass: 'api',
    summary: 'Where decisions are asked for',
    returns: [200, Configuration],
    handler: async ({ kernel }) => {
      const { publicUrl } = kernel.config
      return {
        policy_decision_point: publicUrl,
        access_evaluation_endpoint: `${publicUrl}/access/v1/evaluation`,
        access_evaluations_endpoint: `${publicUrl}/access/v1/evaluations`,
      }
    },
  }),
]
