import Type from 'typebox'
import { defineEvent } from '../../../kernel/events/catalogue/catalogue.ts'
import { nullable, oneOf, Slug, strictObject } from '../../../kernel/schema/types.ts'
import { evidenceRanks, objectiveNames } from '../declared/words.ts'

const objective = strictObject({
  service: Slug,
  objective: oneOf(...objectiveNames),
  target: nullable(Type.Number({ description: 'Minutes; of an availability its share' })),
  observed: nullable(Type.Number({ description: 'The 95 % quantile in minutes; of an availability its share' })),
  evidence: nullable(oneOf(...evidenceRanks)),
})

export const objectiveBreached = defineEvent({
  channel: 'resilience.objective.breached',
  type: 'ObjectiveBreached',
  summary: 'A service does not keep an objective, by the strongest evidence that decides.',
  schema: objective,
  retentionDays: 90,
})

export const objectiveRestored = defineEvent({
  channel: 'resilience.objective.restored',
  type: 'ObjectiveRestored',
  summary: 'A service no longer breaks an objective that it broke.',
  schema: objective,
  retentionDays: 90,
})
