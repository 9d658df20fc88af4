import { apiErrors, authErrors } from '../../../kernel/errors/errors.ts'
import { routesOf } from '../../../kernel/module/route.ts'
import { errors } from '../errors/errors.ts'
import * as schema from '../schemas/credentials.ts'
import type { IamServices } from '../services/iam-services.ts'
import { sessions } from '../tables/sessions.ts'
import { endSession, listSessions } from './sessions.ts'

const route = routesOf<IamServices>()

export const sessionRoutes = [
  route.get('/sessions', {
    permission: 'authenticated',
    summary: 'List one’s own sessions; with iam:read everybody’s',
    query: schema.SessionFilter,
    list: { table: sessions, default: '-created_at' },
    returns: [200, schema.Session],
    errors: [authErrors.forbidden],
    handler: ({ services, tx, actor, query, page }) => listSessions(services, tx, { actor, filter: query, page }),
  }),
  route.delete('/sessions/{session_id}', {
    permission: 'authenticated',
    rateClass: 'stop',
    summary: 'End a session',
    description: 'One’s own, or with iam:admin that of anybody whose rights are within one’s own.',
    returns: [200, schema.EndedSession],
    audit: 'iam.session.end',
    errors: [apiErrors.notFound, authErrors.forbidden, errors.exceedsRights],
    handler: ({ services, tx, actor, params }) => endSession(services, tx, { actor, id: params.session_id }),
  }),
]
