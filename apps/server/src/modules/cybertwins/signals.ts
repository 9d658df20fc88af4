/** Evidence of the pillar security for the trust score. Tested in attack-paths.test.ts. */
import type { Tx } from '../../kernel/db/port.ts'
import type { TrustReport } from '../../kernel/trust-signals.ts'
import { latestAnalysis } from './analysis/read.ts'

/** 100 × (1 − highest probability that a crown jewel is reached), of the newest completed analysis of all of them. */
export async function twinSignals(tx: Tx): Promise<TrustReport> {
  const id = 'attack_reachability'
  const latest = await latestAnalysis(tx)
  const source_ref = '/api/v1/cybertwins/attack-paths/latest'
  if (latest === null || latest.max_reach === null)
    return { signals: [{ id, good: null, value: null, n: null, observed_at: null, source_ref }], caps: [] }
  const n = latest.result?.reach.length ?? 0
  const value = 100 * (1 - latest.max_reach)
  const observed = latest.finished_at
  return {
    signals: [
      { id, good: null, value, n, observed_at: observed, source_ref: `/api/v1/cybertwins/attack-paths/${latest.id}` },
    ],
    caps: [],
  }
}
