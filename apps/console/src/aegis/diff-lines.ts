/** Differences of two JSON values by the lines of their text, members sorted. Pure. Tested in diff-lines.test.ts. */
export interface DiffLine {
  readonly key: string
  readonly mark: 'same' | 'removed' | 'added'
  readonly text: string
}

/** Lines compared one by one; beyond that the middle counts as replaced whole. */
const mostLines = 600

/** @param before null where there was nothing: every line is added then */
export function diffLines(before: unknown, after: unknown): readonly DiffLine[] {
  const [from, to] = [linesOf(before), linesOf(after)]
  let head = 0
  while (head < from.length && head < to.length && from[head] === to[head]) head += 1
  let tail = 0
  const most = Math.min(from.length, to.length) - head
  while (tail < most && from[from.length - 1 - tail] === to[to.length - 1 - tail]) tail += 1
  const marked = [
    ...from.slice(0, head).map(as('same')),
    ...middle(from.slice(head, from.length - tail), to.slice(head, to.length - tail)),
    ...from.slice(from.length - tail).map(as('same')),
  ]
  return marked.map((line, index) => ({ ...line, key: `${index} ${line.mark}` }))
}

type Line = Omit<DiffLine, 'key'>

const as =
  (mark: DiffLine['mark']) =>
  (text: string): Line => ({ mark, text })

function linesOf(value: unknown): readonly string[] {
  return value === null || value === undefined ? [] : JSON.stringify(sorted(value), null, 2).split('\n')
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, member]) => [name, sorted(member)]),
  )
}

/** The longest common lines stay; of the rest, removed lines come before added ones. */
function middle(from: readonly string[], to: readonly string[]): readonly Line[] {
  if (from.length > mostLines || to.length > mostLines) return [...from.map(as('removed')), ...to.map(as('added'))]
  const common = commonLengths(from, to)
  const lines: Line[] = []
  let [i, j] = [0, 0]
  while (i < from.length || j < to.length) {
    const [left, right] = [from[i], to[j]]
    if (left !== undefined && left === right) {
      lines.push({ mark: 'same', text: left })
      i += 1
      j += 1
    } else if (
      left !== undefined &&
      (right === undefined || lengthAt(common, i + 1, j) >= lengthAt(common, i, j + 1))
    ) {
      lines.push({ mark: 'removed', text: left })
      i += 1
    } else if (right !== undefined) {
      lines.push({ mark: 'added', text: right })
      j += 1
    }
  }
  return lines
}

const lengthAt = (common: readonly Uint16Array[], i: number, j: number): number => common[i]?.[j] ?? 0

/** Lengths of the longest common subsequences of the ends from each pair of lines on. */
function commonLengths(from: readonly string[], to: readonly string[]): readonly Uint16Array[] {
  const rows = Array.from({ length: from.length + 1 }, () => new Uint16Array(to.length + 1))
  for (let i = from.length - 1; i >= 0; i -= 1)
    for (let j = to.length - 1; j >= 0; j -= 1) {
      const row = rows[i]
      if (row === undefined) continue
      row[j] =
        from[i] === to[j]
          ? lengthAt(rows, i + 1, j + 1) + 1
          : Math.max(lengthAt(rows, i + 1, j), lengthAt(rows, i, j + 1))
    }
  return rows
}
