import Type, { type Static } from 'typebox'

const Word = Type.String({ minLength: 1, maxLength: 256 })
/** Members of the asking application's own; nothing is decided by them. */
const Properties = Type.Optional(Type.Object({}))

const Subject = Type.Object({ type: Word, id: Word, properties: Properties })
const Action = Type.Object({ name: Word, properties: Properties })
const Resource = Type.Object({ type: Word, id: Type.String({ maxLength: 1024 }), properties: Properties })

const parts = { subject: Subject, action: Action, resource: Resource, context: Properties }

export const Evaluation = Type.Object(parts)
export type Evaluation = Static<typeof Evaluation>

const optionalParts = {
  subject: Type.Optional(Subject),
  action: Type.Optional(Action),
  resource: Type.Optional(Resource),
  context: Properties,
}

export const semantics = ['execute_all', 'deny_on_first_deny', 'permit_on_first_permit'] as const

export const Evaluations = Type.Object({
  ...optionalParts,
  evaluations: Type.Optional(Type.Array(Type.Object(optionalParts), { maxItems: 100 })),
  options: Type.Optional(
    Type.Object({
      evaluations_semantic: Type.Optional(
        Type.Unsafe<(typeof semantics)[number]>({ type: 'string', enum: [...semantics] }),
      ),
    }),
  ),
})
export type Evaluations = Static<typeof Evaluations>

export const Decision = Type.Object({
  decision: Type.Boolean(),
  context: Type.Optional(Type.Object({ reason: Type.String() })),
})
export type Decision = Static<typeof Decision>

/** A single decision for a call without `evaluations`. */
export const Decisions = Type.Unsafe<Decision | { readonly evaluations: readonly Decision[] }>(
  Type.Object({ decision: Type.Optional(Type.Boolean()), evaluations: Type.Optional(Type.Array(Decision)) }),
)

const Page = Type.Optional(
  Type.Object({
    token: Type.Optional(Type.String({ maxLength: 200, description: 'The `next_token` of the page before' })),
    next_token: Type.Optional(
      Type.String({ maxLength: 200, description: 'The same, as drafts of the standard name it' }),
    ),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, description: 'Default 100' })),
  }),
)
const FoundPage = Type.Object({
  next_token: Type.String({ description: 'Empty on the last page' }),
  count: Type.Integer({ description: 'Results on this page' }),
})

export const SubjectSearch = Type.Object({
  subject: Type.Object({ type: Word, properties: Properties }),
  action: Action,
  resource: Resource,
  context: Properties,
  page: Page,
})
export type SubjectSearch = Static<typeof SubjectSearch>

export const FoundSubjects = Type.Object({
  results: Type.Array(Type.Object({ type: Type.String(), id: Type.String() })),
  page: FoundPage,
})
export type FoundSubjects = Static<typeof FoundSubjects>

export const ActionSearch = Type.Object({ subject: Subject, resource: Resource, context: Properties, page: Page })
export type ActionSearch = Static<typeof ActionSearch>

export const FoundActions = Type.Object({
  results: Type.Array(Type.Object({ name: Type.String() })),
  page: FoundPage,
})
export type FoundActions = Static<typeof FoundActions>

export const Configuration = Type.Object({
  policy_decision_point: Type.String(),
  access_evaluation_endpoint: Type.String(),
  access_evaluations_endpoint: Type.String(),
  search_subject_endpoint: Type.String(),
  search_action_endpoint: Type.String(),
})
