import Type from 'typebox'
import { Answer, routesOf } from '../../../kernel/module/route.ts'
import { strictObject } from '../../../kernel/schema/types.ts'
import type { TrustParts } from '../declared/parts.ts'
import { Score, Snapshot, SnapshotWithInputs } from '../declared/schemas.ts'
import { currentScore } from './current-score.ts'
import { recalculateNow } from './recalculation.ts'
import { readSnapshot, snapshotView } from './snapshots.ts'

const route = routesOf<TrustParts>()

export const scoreRoutes = [
  route.get('/scores/current', {
    permission: 'trust:read',
    summary: 'Read the current trust score',
    returns: [200, Score],
    handler: ({ tx, services }) => currentScore(tx, services.clock.iso()),
  }),
  route.post('/scores/recalculate', {
    permission: 'trust:write',
    summary: 'Recalculate the trust score now',
    description: 'Answers with the new snapshot; a call that had to wait for another run answers with its snapshot.',
    body: strictObject({ reason: Type.Optional(Type.String({ minLength: 1, maxLength: 500 })) }),
    returns: [201, Snapshot],
    rateClass: 'expensive',
    audit: 'trust.recalculate',
    handler: async ({ tx, body, services }) => {
      const snapshot = snapshotView(await recalculateNow(services, tx, body.reason ?? null))
      return new Answer(snapshot, { location: `/api/v1/trust/scores/${snapshot.id}` })
    },
  }),
  route.get('/scores/{snapshot_id}', {
    permission: 'trust:read',
    summary: 'Read one snapshot with everything it was made from',
    description: 'With `verify=true` the score is made again from the stored inputs and compared.',
    query: strictObject({ verify: Type.Optional(Type.Boolean()) }),
    returns: [200, SnapshotWithInputs],
    handler: ({ tx, params, query }) => readSnapshot(tx, params.snapshot_id, { verify: query.verify ?? false }),
  }),
]
