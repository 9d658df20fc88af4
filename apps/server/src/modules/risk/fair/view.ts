import type { AnalysisResult } from './result-schema.ts'
import type { Analysis, AnalysisRow, ShownResult } from './schema.ts'

/** Members that are shown where they were asked for. */
export type Included = ReadonlySet<string>

export function analysisView(row: AnalysisRow, included: Included, dryRun = false): Analysis {
  const { number, mean: _mean, var95: _var95, result, ...shown } = row
  return { ...shown, version: number, dry_run: dryRun, result: result === null ? null : shownResult(result, included) }
}

function shownResult({ exact, monte_carlo: simulated, agreement }: AnalysisResult, included: Included): ShownResult {
  return {
    exact: exact === null ? null : without(exact, included),
    monte_carlo: simulated === null ? null : without(simulated, included),
    agreement,
  }
}

/** Statistics without the long members that nobody asked for. */
export function without<T extends { readonly lec: unknown; readonly histogram: unknown; readonly trace?: unknown }>(
  result: T,
  included: Included,
): Omit<T, 'lec' | 'histogram' | 'trace'> & Partial<Pick<T, 'lec' | 'histogram'>> {
  const { lec, histogram, trace: _trace, ...statistics } = result
  return {
    ...statistics,
    ...(included.has('lec') ? { lec } : {}),
    ...(included.has('histogram') ? { histogram } : {}),
  }
}
