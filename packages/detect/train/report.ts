import { areaUnderCurve, recallAtRate, shareFrom } from '../eval/metrics.ts'
import type { Row } from './rows/row.ts'

export interface Judgment {
  readonly row: Row
  /** Calibrated score. */
  readonly score: number
}

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`

/** Markdown tables: attacks and harmless texts by source and kind, at the shipped thresholds. */
export function reportOf(title: string, judged: readonly Judgment[]): string {
  const harmless = judged.filter(({ row }) => row.label === 0)
  const attacks = judged.filter(({ row }) => row.label === 1)
  const scores = harmless.map(({ score }) => score)
  const line = (name: string, group: readonly Judgment[]): string => {
    const own = group.map(({ score }) => score)
    const cells = [
      areaUnderCurve(own, scores).toFixed(3),
      percent(recallAtRate(own, scores, 0.01)),
      percent(recallAtRate(own, scores, 0.001)),
      percent(shareFrom(own, 0.5)),
      percent(shareFrom(own, 0.9)),
    ]
    return `| ${name} | ${group.length} | ${cells.join(' | ')} |`
  }
  const harmlessLine = (name: string, group: readonly Judgment[]): string => {
    const own = group.map(({ score }) => score)
    return `| ${name} | ${group.length} | ${percent(shareFrom(own, 0.5))} | ${percent(shareFrom(own, 0.9))} |`
  }
  const attackTable = [
    '| attacks | rows | AUC | recall at 1 % | recall at 0.1 % | flagged | blocked |',
    '|---|---|---|---|---|---|---|',
    line('all', attacks),
    ...groupsOf(attacks).map(([name, group]) => line(name, group)),
    '',
  ]
  return [
    `## ${title}`,
    '',
    ...(attacks.length > 0 ? attackTable : []),
    '| harmless | rows | flagged | blocked |',
    '|---|---|---|---|',
    harmlessLine('all', harmless),
    ...groupsOf(harmless).map(([name, group]) => harmlessLine(name, group)),
    '',
  ].join('\n')
}

function groupsOf(judged: readonly Judgment[]): [string, Judgment[]][] {
  const groups = new Map<string, Judgment[]>()
  for (const item of judged) {
    const name = `${item.row.source} · ${item.row.kind}${item.row.lang === 'en' ? '' : ' · other languages'}`
    const group = groups.get(name) ?? []
    group.push(item)
    groups.set(name, group)
  }
  return [...groups].sort(([a], [b]) => (a < b ? -1 : 1))
}
