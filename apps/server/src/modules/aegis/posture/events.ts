import Type from 'typebox'
import { defineEvent } from '../../../kernel/events/catalogue/catalogue.ts'
import { nullable, strictObject } from '../../../kernel/schema/types.ts'
import { Cap, ComponentValues } from './schema.ts'

const Score = Type.Number({ minimum: 0, maximum: 100 })

export const postureUpdated = defineEvent({
  channel: 'aegis.posture.updated',
  type: 'PostureUpdated',
  summary: 'The posture changed: at most once a minute, and at once on a kill switch or a critical alert.',
  schema: strictObject({
    score: Score,
    previous: nullable(Score),
    components: ComponentValues,
    caps: Type.Array(Cap, { maxItems: 2 }),
    confidence: Type.Number({ minimum: 0, maximum: 1 }),
  }),
  retentionDays: 90,
})
