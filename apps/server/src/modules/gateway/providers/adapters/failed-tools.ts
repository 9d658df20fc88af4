/** For vendors that have no member for it: a tool's result that says in words that the tool failed. Tested in adapters.test.ts. */
import type { Turn } from '../../call/call.ts'

/** Stands before the tool's output. */
export const failureWords = 'The tool failed:'

export function tellingFailure(turn: Turn): Turn {
  if (turn.toolError !== true) return turn
  const first = turn.parts.findIndex(({ type }) => type === 'text')
  if (first < 0) return { ...turn, parts: [{ type: 'text', text: failureWords }, ...turn.parts] }
  const parts = turn.parts.map((part, index) =>
    index === first && part.type === 'text' ? { ...part, text: `${failureWords} ${part.text}` } : part,
  )
  return { ...turn, parts }
}
