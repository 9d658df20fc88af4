/** Maturity levels, 0 absent to 5 optimized, held to their evidence. Tested in score.test.ts. */
import type { EvidenceKind } from './words.ts'

export interface Maturity {
  readonly effective: number
  /** Why it is below the claimed level; null where it is not. */
  readonly reason: string | null
}

/** Level 4 needs a check or a system export as current evidence, level 3 a current document. */
export function effectiveMaturity(claimed: number, current: readonly EvidenceKind[]): Maturity {
  const isMeasured = current.some((kind) => kind === 'check_run' || kind === 'system_export')
  const isDocumented = isMeasured || current.some((kind) => kind === 'document' || kind === 'external_result')
  if (claimed >= 3 && !isDocumented)
    return { effective: 2, reason: 'Level 3 and above needs a current document as evidence.' }
  if (claimed >= 4 && !isMeasured)
    return { effective: 3, reason: 'Level 4 and above needs a current check run or system export as evidence.' }
  return { effective: claimed, reason: null }
}
