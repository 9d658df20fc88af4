/** Qualitative severity rating scale, shared by CVSS 3.1 (section 5) and CVSS 4.0 (section 6). */
export type Severity = 'none' | 'low' | 'medium' | 'high' | 'critical'

/** Severity of a CVSS score (0..10). */
export function severityOf(score: number): Severity {
  if (score === 0) return 'none'
  if (score < 4) return 'low'
  if (score < 7) return 'medium'
  return score < 9 ? 'high' : 'critical'
}
