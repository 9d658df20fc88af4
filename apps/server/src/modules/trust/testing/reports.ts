import type { TrustReport, TrustSignal } from '../../../kernel/trust-signals.ts'

/** `good` of `n` calls under an enforced policy. */
export function enforced(observed_at: string, good: number, n: number): TrustReport {
  return { signals: [{ id: 'enforced', good, value: null, n, observed_at, source_ref: '/gateway/requests' }], caps: [] }
}

/** One open anomaly and a pause without length. */
export function anomalies(at: string): TrustSignal {
  const events = [{ severity: 'high', at }] as const
  const own = { id: 'anomaly_pressure', observed_at: at, events, pauses: [{ from: at, to: at }] }
  return { ...own, good: null, value: null, n: null, source_ref: null }
}

/** Reports that make the composite about 34.375 + 0.3125 × value (pillars are rounded first): all terms of the gateway, and AEGIS's but two. */
export function everywhere(observed_at: string, value: number): { gateway: TrustReport; aegis: TrustReport } {
  const state = (id: string) => ({ id, good: null, value, n: null, observed_at, source_ref: null })
  const gateway = ['enforced', 'fail_open', 'protected', 'audited', 'fresh_secrets', 'budgeted']
  const aegis = ['guardrail_coverage', 'mcp_posture', 'shadow_ai', 'alert_sla']
  return { gateway: { signals: gateway.map(state), caps: [] }, aegis: { signals: aegis.map(state), caps: [] } }
}
