import { createRestoreStream } from '@parapet/detect'
import type { WithPlan } from '../../plan/call-plan.ts'
import type { StoppingPiece } from './12-output-pieces.ts'

/**
 * A stand-in looks like the value it replaces, so it would be hidden again. It is turned into its placeholder first,
 * which the restoration knows.
 */
export function standInFilter({ plan: { vault } }: WithPlan): readonly StoppingPiece[] {
  const standIns = vault.synthetics.entries()
  if (standIns.length === 0) return []
  const placeholders = new Map(standIns.map(({ type, value }) => [value, vault.placeholderFor(type, value)]))
  const stream = createRestoreStream({
    ...vault,
    valueOf: () => undefined,
    beginsName: () => false,
    synthetics: {
      ...vault.synthetics,
      readAt: (text, at) => {
        const read = vault.synthetics.readAt(text, at)
        return typeof read === 'object' ? { ...read, value: placeholders.get(read.value) ?? read.value } : read
      },
    },
  })
  return [{ push: stream.push, end: stream.end, held: stream.held, blocked: () => false }]
}
