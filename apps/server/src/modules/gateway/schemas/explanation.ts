import Type, { type Static } from 'typebox'
import { oneOf, strictObject } from '../../../kernel/schema/types.ts'

const Score = Type.Number({ minimum: 0, maximum: 1 })
const Family = Type.String({ maxLength: 64 })

export const ExplainedRule = strictObject({
  id: Type.String({ maxLength: 128 }),
  family: Family,
  score: Score,
  start: Type.Integer({ minimum: 0, description: 'UTF-16 offset in the text as it was sent' }),
  end: Type.Integer({ minimum: 0, description: 'UTF-16 offset in the text as it was sent, exclusive' }),
  via: Type.Array(Type.String({ maxLength: 32 }), {
    maxItems: 8,
    description: 'How hidden text was reached, outermost first',
  }),
})

export const ExplainedText = strictObject({
  location: Type.String({ maxLength: 256, description: 'JSON Pointer into the request' }),
  provenance: oneOf('user', 'system', 'assistant', 'tool_result', 'tool_description'),
  score: Score,
  verdict: oneOf('flag', 'block'),
  families: Type.Array(Family, { maxItems: 20 }),
  rules: Type.Array(ExplainedRule, { maxItems: 8, description: 'Those that weighed most' }),
  rules_total: Type.Integer({ minimum: 0, description: 'Including those not shown' }),
  truncated: Type.Boolean({ description: 'A limit was reached and part of the text went unread' }),
})
export type ExplainedText = Static<typeof ExplainedText>

/** Why texts of a call were flagged or blocked, without a word of them. */
export const Explanation = strictObject({
  pack: Type.String({ maxLength: 64, description: 'Version of the rules that decided' }),
  texts: Type.Array(ExplainedText, { maxItems: 4, description: 'Those with the highest score' }),
  texts_total: Type.Integer({ minimum: 0, description: 'Including those not shown' }),
})
export type Explanation = Static<typeof Explanation>
