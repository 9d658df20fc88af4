/** Where the rate of threat events of an analysis comes from, as it is asked for and stored. */
import Type, { type Static } from 'typebox'
import { nullable, strictObject, Timestamp } from '../../../kernel/schema/types.ts'
import { Interval, Value } from './result-schema.ts'

const Technique = Type.String({ minLength: 1, maxLength: 100 })
const Years = Type.Number({ minimum: 1e-6, maximum: 1e6, description: 'Years of evidence that it is worth' })
const Prior = strictObject({
  shape: Type.Number({ minimum: 1e-6, maximum: 1e6, description: 'Events that the belief is worth' }),
  years: Years,
})

/** Rate of threat events from observations: gamma prior, Poisson events, so a gamma posterior. */
export const TefFrom = strictObject({
  techniques: Type.Optional(Type.Array(Technique, { minItems: 1, maxItems: 50 })),
  prior: Type.Optional(Prior),
  epss: Type.Optional(
    strictObject(
      {
        cves: Type.Array(Type.String({ pattern: '^[Cc][Vv][Ee]-\\d{4}-\\d{4,19}$', maxLength: 28 }), {
          minItems: 1,
          maxItems: 50,
        }),
        years: Years,
      },
      { description: 'In the place of `prior`: exploitation activity of vulnerabilities of the threat library' },
    ),
  ),
})
export type TefFrom = Static<typeof TefFrom>

const CitedVulnerability = strictObject({
  id: Type.String({ maxLength: 28 }),
  epss: nullable(Value),
  kev: Type.Boolean(),
  date: nullable(Type.String({ maxLength: 10, description: 'Of the EPSS score' })),
})
export type CitedVulnerability = Static<typeof CitedVulnerability>

const StoredEpss = strictObject({
  cves: Type.Array(CitedVulnerability),
  years: Value,
  rate: Type.Number({ description: 'Windows of 30 days with exploitation activity a year' }),
  probability: Type.Number({ description: 'Of exploitation activity within the horizon of the analysis' }),
})
export type StoredEpss = Static<typeof StoredEpss>

export const StoredTef = strictObject({
  techniques: Type.Array(Technique),
  prior: Prior,
  epss: Type.Optional(StoredEpss),
  /** Since when attempts are counted. */
  observed_from: Timestamp,
  events: Type.Integer({ minimum: 0 }),
  years: Type.Number({ minimum: 0 }),
  posterior: strictObject({ shape: Value, rate: Value, mean: Value, interval: Interval }),
})
export type StoredTef = Static<typeof StoredTef>
