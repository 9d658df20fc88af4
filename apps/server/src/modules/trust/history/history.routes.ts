import Type from 'typebox'
import { routesOf } from '../../../kernel/module/route.ts'
import { oneOf, strictObject, Timestamp } from '../../../kernel/schema/types.ts'
import { errors } from '../declared/errors.ts'
import type { TrustParts } from '../declared/parts.ts'
import { History, intervals } from '../declared/schemas.ts'
import { PILLAR_NAMES } from '../engine/signals.ts'
import { readHistory } from './history.ts'

const route = routesOf<TrustParts>()

const defaultPoints = 500

export const historyRoutes = [
  route.get('/history', {
    permission: 'trust:read',
    summary: 'Read how the trust score went',
    description:
      'One point per snapshot or per hour, day or week in UTC, at most `max_points`: the first, the last, the lowest and the highest always stay, and each point has the extremes of the stretch it stands for.',
    query: strictObject({
      from: Type.Optional(Timestamp),
      to: Type.Optional(Timestamp),
      interval: Type.Optional(oneOf(...intervals)),
      pillar: Type.Optional(oneOf(...PILLAR_NAMES)),
      max_points: Type.Optional(Type.Integer({ minimum: 3, maximum: 5_000, description: `Default ${defaultPoints}.` })),
    }),
    returns: [200, History],
    errors: [errors.historyRange],
    handler: ({ tx, query, services }) => {
      const { max_points: maxPoints = defaultPoints, interval = '1h', ...rest } = query
      return readHistory(tx, { ...rest, interval, maxPoints }, services.clock.now())
    },
  }),
]
