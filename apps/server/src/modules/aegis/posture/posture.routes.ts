import { apiErrors } from '../../../kernel/errors/errors.ts'
import { routesOf } from '../../../kernel/module/route.ts'
import { readPosture } from './read-posture.ts'
import type { PostureParts } from './refresh.ts'
import { Posture, PostureQuery } from './schema.ts'

const route = routesOf<{ readonly posture: PostureParts }>()

export const postureRoutes = [
  route.get('/posture', {
    permission: 'aegis:read',
    summary: 'See the posture with its components and history',
    description:
      'The score is `100 × Σ weight × value` of the components, lowered to the lowest cap. A component without data counts 0; `confidence` is the weight of those with data. The history has a point for each change, of the last 30 days unless `from` and `to` say otherwise, and one an hour beyond seven days.',
    query: PostureQuery,
    returns: [200, Posture],
    errors: [apiErrors.validation],
    handler: ({ tx, services: { posture }, query }) => readPosture(posture, tx, query),
  }),
]
