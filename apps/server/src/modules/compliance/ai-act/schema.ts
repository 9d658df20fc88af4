import Type, { type Static } from 'typebox'
import { nullable, oneOf, strictObject } from '../../../kernel/schema/types.ts'
import { timetableNames } from '../catalogs/timetables.ts'
import { derogations, exceptions, exclusions, facts, practices, roles, transparencyCases, uses } from './questions.ts'

const yesOrNo = (questions: readonly { readonly id: string; readonly article: string; readonly text: string }[]) =>
  questions.map(
    ({ id, article, text }) => [id, Type.Optional(Type.Boolean({ description: `${article}: ${text}` }))] as const,
  )

const members = [
  ...yesOrNo(Object.values(facts)),
  ...yesOrNo([...exclusions, ...practices, ...uses, ...derogations, ...transparencyCases]),
  ...yesOrNo(exceptions.map((id) => ({ id, article: 'Art. 5(1)', text: 'The exception applies' }))),
]

/** Answers by question; what is left out is unknown, and unknown answers never lower the tier. */
export const Answers = strictObject({
  role: Type.Optional(oneOf(...roles)),
  training_flops: Type.Optional(Type.Number({ minimum: 0, maximum: 1e40 })),
  answers: Type.Optional(strictObject(Object.fromEntries(members))),
})
export type Answers = Static<typeof Answers>

export const tiers = [
  'prohibited',
  'high_risk_product',
  'high_risk_use',
  'transparency',
  'gpai',
  'gpai_systemic',
  'minimal',
  'out_of_scope',
  'undetermined',
] as const
export type Tier = (typeof tiers)[number]

const Article = Type.String({ maxLength: 60 })
export const Classification = strictObject({
  tiers: Type.Array(oneOf(...tiers)),
  /** With `undetermined`: the gravest that the open questions leave possible. */
  highest_possible: nullable(oneOf(...tiers)),
  role: nullable(oneOf(...roles)),
  reasons: Type.Array(
    strictObject({ question: Type.String({ maxLength: 60 }), article: Article, text: Type.String({ maxLength: 300 }) }),
  ),
  obligations: Type.Array(
    strictObject({
      ref: Article,
      title: Type.String({ maxLength: 300 }),
      applies_from: nullable(Type.String({ maxLength: 10 })),
      days_left: nullable(Type.Integer()),
    }),
  ),
  penalty: nullable(Type.String({ maxLength: 100 })),
  documents: Type.Array(Type.String({ maxLength: 200 })),
  open_questions: Type.Array(Type.String({ maxLength: 60 })),
  timetable: oneOf(...timetableNames),
  notice: Type.String({ maxLength: 200 }),
})
export type Classification = Static<typeof Classification>
