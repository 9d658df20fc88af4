import type { Tx } from '../../../kernel/db/port.ts'
import type { TrustReport } from '../../../kernel/trust-signals.ts'
import type { TrustParts } from '../declared/parts.ts'
import { CAPS, isCapId } from '../engine/caps.ts'
import { assertScorable, type Evidence } from '../engine/evidence.ts'
import { isSignalId, SIGNALS } from '../engine/signals.ts'

/**
 * The evidence of all modules at a moment (ISO time). A report that cannot be scored, or has signals or caps its module
 * does not own, counts as not delivered: one module's fault must not stop the score of all the others, nor raise it.
 */
export async function collectEvidence(parts: TrustParts, tx: Tx, at: string): Promise<Evidence> {
  const reports = await parts.trustReports(tx, at)
  const usable = reports.filter(({ module, report }) => {
    const fault = faultOf(module, report)
    if (fault !== null)
      parts.log.error({ module, fault, tenant: tx.tenantId }, 'a report for the trust score is refused')
    return fault === null
  })
  return {
    signals: usable.flatMap(({ report }) => report.signals),
    caps: usable.flatMap(({ report }) => report.caps),
  }
}

function faultOf(module: string, report: TrustReport): string | null {
  try {
    assertScorable(report)
  } catch (error) {
    if (error instanceof RangeError) return error.message
    throw error
  }
  const source = module.replaceAll('-', '_')
  const foreign =
    report.signals.find(({ id }) => isSignalId(id) && SIGNALS[id].source !== source) ??
    report.caps.find(({ id }) => isCapId(id) && CAPS[id].source !== source)
  return foreign === undefined ? null : `"${foreign.id}" is not this module's to report.`
}
