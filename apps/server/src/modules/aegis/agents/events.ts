import Type from 'typebox'
import { defineEvent } from '../../../kernel/events/catalogue/catalogue.ts'
import { nullable, oneOf, strictObject, Uuid } from '../../../kernel/schema/types.ts'
import { agentStates } from './states.ts'

export const agentStatusChanged = defineEvent({
  channel: 'aegis.agent.status_changed',
  type: 'AgentStatusChanged',
  summary: 'An agent moved to another state of its life.',
  schema: strictObject({
    agent_id: Uuid,
    agent_name: Type.String({ maxLength: 120 }),
    risk_tier: Type.Integer({ minimum: 1, maximum: 4 }),
    from: oneOf(...agentStates),
    to: oneOf(...agentStates),
    by: nullable(Uuid),
    reason: nullable(Type.String({ maxLength: 500 })),
  }),
  retentionDays: 90,
})
