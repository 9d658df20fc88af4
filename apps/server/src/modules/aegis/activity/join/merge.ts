/** One record of the two of a model call. Pure. Tested in pair.test.ts. */
import type { ActivityRecord } from '../record/record.ts'

/**
 * The report says where the call belongs and how long the agent waited; the gateway's facts replace the agent's word
 * about the same things.
 */
export function mergedCall<Report extends ActivityRecord>(report: Report, gateway: GatewayFacts): Report {
  const failed = gateway.outcome !== 'succeeded'
  return Object.assign({}, report, {
    gateway_log_id: gateway.gateway_log_id,
    call_id: gateway.call_id,
    model: gateway.model ?? report.model,
    provider: gateway.provider ?? report.provider,
    tokens_in: gateway.tokens_in ?? report.tokens_in,
    tokens_out: gateway.tokens_out ?? report.tokens_out,
    cost: gateway.cost ?? report.cost,
    outcome: failed ? gateway.outcome : report.outcome,
    error_type: failed ? gateway.error_type : report.error_type,
  })
}

export type GatewayFacts = Pick<
  ActivityRecord,
  'gateway_log_id' | 'call_id' | 'model' | 'provider' | 'tokens_in' | 'tokens_out' | 'cost' | 'outcome' | 'error_type'
>
