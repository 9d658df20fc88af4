/**
 * Changes between two texts, word by word. Promises that the same and removed pieces make the first text and the same
 * and added pieces the second, for all texts. Tested in text-diff.test.ts.
 */
import type { TextChange } from './schema.ts'

/**
 * Words of either text between the common beginning and end that are compared one by one: a million pairs take some
 * milliseconds. Longer ones are told as removed and added.
 */
const mostCompared = 1000

export function textDiff(from: string, to: string): TextChange[] {
  const [before, after] = [wordsOf(from), wordsOf(to)]
  const shortest = Math.min(before.length, after.length)
  let start = 0
  while (start < shortest && before[start] === after[start]) start += 1
  let end = 0
  while (end < shortest - start && before.at(-1 - end) === after.at(-1 - end)) end += 1
  return joined([
    ...told('same', before.slice(0, start)),
    ...middle(before.slice(start, before.length - end), after.slice(start, after.length - end)),
    ...told('same', before.slice(before.length - end)),
  ])
}

/** Words and the blanks between them. */
function wordsOf(text: string): readonly string[] {
  return text.split(/(\s+)/).filter((word) => word !== '')
}

function told(op: TextChange['op'], words: readonly string[]): readonly TextChange[] {
  return words.map((text) => ({ op, text }))
}

function middle(before: readonly string[], after: readonly string[]): readonly TextChange[] {
  if (before.length > mostCompared || after.length > mostCompared)
    return [...told('removed', before), ...told('added', after)]
  const common = longestCommon(before, after)
  const changes: TextChange[] = []
  let [i, j] = [0, 0]
  while (i < before.length && j < after.length) {
    const [removed = '', added = ''] = [before[i], after[j]]
    if (removed === added) {
      changes.push({ op: 'same', text: removed })
      i += 1
      j += 1
    } else if (common(i + 1, j) >= common(i, j + 1)) {
      changes.push({ op: 'removed', text: removed })
      i += 1
    } else {
      changes.push({ op: 'added', text: added })
      j += 1
    }
  }
  return [...changes, ...told('removed', before.slice(i)), ...told('added', after.slice(j))]
}

/** Length of the longest common subsequence of the texts that begin at two places. */
function longestCommon(before: readonly string[], after: readonly string[]): (i: number, j: number) => number {
  const width = after.length + 1
  const lengths = new Uint16Array((before.length + 1) * width)
  const at = (i: number, j: number): number => lengths[i * width + j] ?? 0
  for (let i = before.length - 1; i >= 0; i -= 1)
    for (let j = after.length - 1; j >= 0; j -= 1)
      lengths[i * width + j] = before[i] === after[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
  return at
}

function joined(changes: readonly TextChange[]): TextChange[] {
  const runs: { op: TextChange['op']; text: string }[] = []
  for (const { op, text } of changes) {
    const last = runs.at(-1)
    if (last?.op === op) last.text += text
    else runs.push({ op, text })
  }
  return runs
}
