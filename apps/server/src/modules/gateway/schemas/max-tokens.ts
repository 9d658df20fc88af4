import Type, { type Static } from 'typebox'
import { nullable, oneOf, strictObject } from '../../../kernel/schema/types.ts'

export const MaxTokens = strictObject(
  {
    asked: nullable(Type.Integer({ minimum: 1 })),
    sent: Type.Integer({ minimum: 1 }),
    source: oneOf('policy', 'model'),
  },
  {
    description:
      'The step let the answer have fewer tokens than were asked for, or bounded it where nobody had (`asked` null), because a policy or a limit of the model says so.',
  },
)
export type MaxTokens = Static<typeof MaxTokens>
