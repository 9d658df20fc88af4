/** The OpenID AuthZEN Authorization API 1.0: decisions for applications that ask before they act. */
import Type from 'typebox'
import { apiErrors } from '../../../kernel/errors/errors.ts'
import type { RawForm } from '../../../kernel/module/raw-form.ts'
import { routesOf } from '../../../kernel/module/route.ts'
import type { IamServices } from '../services/iam-services.ts'
import { evaluate, evaluateAll } from './evaluate.ts'
import {
  ActionSearch,
  Configuration,
  Decision,
  Decisions,
  Evaluation,
  Evaluations,
  FoundActions,
  FoundSubjects,
  SubjectSearch,
} from './schema.ts'
import { searchActions, searchSubjects } from './search.ts'

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

const searching = { ...asking, audit: 'iam.access.search' } as const

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
  route.post('/search/subject', {
    ...searching,
    summary: 'Find the users or keys that may do something',
    description:
      'In the order of their ids, page by page. Each subject found is also allowed by the evaluation endpoint.',
    body: SubjectSearch,
    returns: [200, FoundSubjects],
    errors: [apiErrors.badCursor],
    handler: ({ tx, body, kernel }) => searchSubjects(tx, body, kernel),
  }),
  route.post('/search/action', {
    ...searching,
    summary: 'Find what a user or key may do',
    description:
      'Of a resource type that is a module which of `read`, `write` and `admin`; of any other type whole permissions. All on one page.',
    body: ActionSearch,
    returns: [200, FoundActions],
    handler: ({ tx, body, kernel }) => searchActions(tx, body, kernel.clock.now()),
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
        search_subject_endpoint: `${publicUrl}/access/v1/search/subject`,
        search_action_endpoint: `${publicUrl}/access/v1/search/action`,
      }
    },
  }),
]
