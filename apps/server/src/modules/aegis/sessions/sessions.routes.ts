import Type from 'typebox'
import { apiErrors } from '../../../kernel/errors/errors.ts'
import { routesOf } from '../../../kernel/module/route.ts'
import { strictObject } from '../../../kernel/schema/types.ts'
import { AgentSession, SessionDetail, SessionFilter } from './schema.ts'
import { listSessions, readSession } from './sessions.ts'
import { sessions } from './tables.ts'

const route = routesOf<object>()

export const sessionRoutes = [
  route.get('/sessions', {
    permission: 'aegis:read',
    summary: 'List sessions of agents',
    description: 'A session is a conversation, else a trace, else what an agent does without a pause of 30 minutes.',
    query: SessionFilter,
    returns: [200, AgentSession],
    list: { table: sessions, default: '-started_at' },
    handler: ({ tx, page, query }) => listSessions(tx, page, query),
  }),
  route.get('/sessions/{agent_session_id}', {
    permission: 'aegis:read',
    summary: 'See a session with its timeline',
    description:
      '200 items at a time, in the order in which they came in; `after_seq` gives those after a number. `graph` is of the whole session.',
    query: strictObject({ after_seq: Type.Optional(Type.Integer({ minimum: 0, maximum: 2_147_483_647 })) }),
    returns: [200, SessionDetail],
    errors: [apiErrors.notFound],
    handler: ({ tx, params, query }) => readSession(tx, params.agent_session_id, query.after_seq ?? 0),
  }),
]
