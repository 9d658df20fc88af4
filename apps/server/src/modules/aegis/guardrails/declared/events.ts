import Type from 'typebox'
import { defineEvent } from '../../../../kernel/events/catalogue/catalogue.ts'
import { nullable, oneOf, strictObject, Uuid } from '../../../../kernel/schema/types.ts'
import { guardrailActions, guardrailKinds } from './words.ts'

const guardrail = {
  guardrail_id: Uuid,
  guardrail_name: Type.String({ maxLength: 120 }),
  version: Type.Integer({ minimum: 1 }),
}

export const guardrailTriggered = defineEvent({
  channel: 'aegis.guardrail.triggered',
  type: 'GuardrailTriggered',
  summary: 'A guardrail matched a call. Hits that are only watched are told once a minute, with their number.',
  schema: strictObject({
    ...guardrail,
    kind: oneOf(...guardrailKinds),
    action: oneOf(...guardrailActions),
    enforced: Type.Boolean(),
    count: Type.Integer({ minimum: 1 }),
    agent_id: nullable(Uuid),
    user_id: nullable(Uuid),
    session_id: nullable(Type.String({ maxLength: 128 })),
    request_id: nullable(Type.String({ maxLength: 128 })),
    server: nullable(Type.String({ maxLength: 256 })),
    tool: nullable(Type.String({ maxLength: 256 })),
    failed: Type.Boolean({ description: 'A check could not be decided' }),
    tags: Type.Array(Type.String({ maxLength: 64 }), { maxItems: 20 }),
  }),
  retentionDays: 90,
})

export const guardrailRolledOut = defineEvent({
  channel: 'aegis.guardrail.rolled_out',
  type: 'GuardrailRolledOut',
  summary: 'Another version of a guardrail, another mode or another share of sessions counts from now on.',
  schema: strictObject({
    ...guardrail,
    mode: oneOf('monitor', 'enforce', 'disabled'),
    percent: Type.Number({ minimum: 0, maximum: 100 }),
    automatic: Type.Boolean(),
    reason: nullable(Type.String({ maxLength: 500 })),
  }),
  retentionDays: 90,
})
