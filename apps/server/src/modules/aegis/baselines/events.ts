import Type from 'typebox'
import { defineEvent } from '../../../kernel/events/catalogue/catalogue.ts'
import { nullable, strictObject, Uuid } from '../../../kernel/schema/types.ts'
import { Anomaly } from './schema.ts'

const { agent_id, detector, feature, observed, expected, threshold, score, severity } = Anomaly.properties
const { window_start, window_end, session_ids } = Anomaly.properties

export const agentAnomaly = defineEvent({
  channel: 'aegis.agent.anomaly',
  type: 'AgentAnomaly',
  summary: 'An agent behaves unlike itself.',
  schema: strictObject({
    anomaly_id: Uuid,
    agent_id,
    agent_name: Type.String({ maxLength: 120 }),
    risk_tier: Type.Integer({ minimum: 1, maximum: 4 }),
    ...{ detector, feature, observed, expected, threshold, score, severity, window_start, window_end, session_ids },
    alert_id: nullable(Uuid),
  }),
  retentionDays: 90,
})
