import { formatAmount, parseAmount } from '../prices/amounts.ts'
import type { Replay, ReplaySide } from './schema.ts'
import { textDiff } from './text-diff.ts'

type Diff = Replay['diff']

/** Differences between both sides. A value that one side does not know has no difference. */
export function compareSides(original: ReplaySide, replay: ReplaySide): Diff {
  return {
    decision: {
      original: original.decision,
      replay: replay.decision,
      changed: original.decision !== replay.decision,
    },
    text: texts(original, replay),
    cost: costs(original.cost, replay.cost),
    latency_ms: latencies(original, replay),
  }
}

function texts(original: ReplaySide, replay: ReplaySide): Diff['text'] {
  if (original.answer === null || replay.answer === null) return null
  const changes = textDiff(textOf(original.answer), textOf(replay.answer))
  return { changed: changes.some(({ op }) => op !== 'same'), changes }
}

/** Choices one below the other, tool calls as they would be written. */
function textOf(answer: Exclude<ReplaySide['answer'], null>): string {
  return answer
    .map(({ text, tool_calls }) => [text, ...tool_calls.map((call) => `${call.name}(${call.arguments})`)].join('\n'))
    .join('\n\n')
}

function costs(original: ReplaySide['cost'], replay: ReplaySide['cost']): Diff['cost'] {
  const [before, after] = [original.amount, replay.amount]
  const comparable = before !== null && after !== null && original.currency === replay.currency
  return {
    original: before,
    replay: after,
    difference: comparable ? formatAmount(parseAmount(after) - parseAmount(before)) : null,
    currency: original.currency === replay.currency ? original.currency : null,
  }
}

function latencies(original: ReplaySide, replay: ReplaySide): Diff['latency_ms'] {
  const before = original.timings.total_ms
  const after = replay.status === null ? null : replay.timings.total_ms
  const difference = after === null ? null : Math.round((after - before) * 1000) / 1000
  return { original: before, replay: after, difference }
}
