/**
 * Content blocks in order, one open at a time. No block begins before the previous one has ended, and the text of a
 * block waits for its turn and is never lost. Tested in layout.test.ts.
 */
export type Json = Readonly<Record<string, unknown>>

/** One frame of a block. */
export type BlockStep =
  | { readonly step: 'start'; readonly index: number; readonly block: Json }
  | { readonly step: 'delta'; readonly index: number; readonly delta: Json }
  | { readonly step: 'stop'; readonly index: number }

export interface Draft {
  readonly kind: 'text' | 'thinking' | 'tool_use' | 'whole'
  /** The start of the block. */
  readonly head: Json
  /** Whether its provider gave its position; otherwise its kind determines it. */
  readonly placed: boolean
  /** Deltas that wait for the block's turn. */
  readonly waiting: Json[]
  /** Deltas that come after all text, such as a signature. */
  readonly tail: Json[]
  /** Characters received so far. */
  received: number
  /** Its original length in characters; null until its provider reports it, or forever. */
  length: number | null
  /** Nothing more arrives for it, whatever its length. */
  over: boolean
  index: number | null
  stopped: boolean
}

export interface BlockQueue {
  readonly drafts: readonly Draft[]
  add(kind: Draft['kind'], head: Json, placed: boolean): Draft
  /** Steps that can be sent now. `isComplete` tells whether a block is complete. */
  advance(isComplete: (draft: Draft) => boolean): readonly BlockStep[]
}

export function createBlockQueue(): BlockQueue {
  const drafts: Draft[] = []
  let at = 0
  let indexes = 0
  const spoken = (draft: Draft): BlockStep[] => {
    const steps: BlockStep[] = []
    if (draft.index === null) {
      draft.index = indexes
      indexes += 1
      steps.push({ step: 'start', index: draft.index, block: draft.head })
    }
    const { index } = draft
    return [...steps, ...draft.waiting.splice(0).map((delta) => ({ step: 'delta', index, delta }) as const)]
  }
  const ended = (draft: Draft): BlockStep[] => {
    draft.stopped = true
    // The block is empty, for instance because its text was removed.
    if (draft.index === null && isEmpty(draft)) return []
    draft.waiting.push(...draft.tail.splice(0))
    const steps = spoken(draft)
    return [...steps, { step: 'stop', index: draft.index ?? 0 }]
  }
  return {
    drafts,
    add: (kind, head, placed) => {
      const draft: Draft = {
        kind,
        head,
        placed,
        waiting: [],
        tail: [],
        received: 0,
        length: null,
        over: false,
        index: null,
        stopped: false,
      }
      const later = placed ? -1 : drafts.findIndex((other) => other.index === null && comesAfter(other, draft))
      drafts.splice(later < 0 ? drafts.length : later, 0, draft)
      return draft
    },
    advance: (isComplete) => {
      const steps: BlockStep[] = []
      for (let draft = drafts[at]; draft !== undefined; draft = drafts[at]) {
        if (!isComplete(draft)) {
          if (mayBegin(draft)) steps.push(...spoken(draft))
          break
        }
        steps.push(...ended(draft))
        at += 1
      }
      return steps
    },
  }
}

/** Natural order of a model's output: reasoning, text, tool calls. */
const order = ['thinking', 'text', 'tool_use']

function comesAfter(other: Draft, draft: Draft): boolean {
  return !other.placed && !other.stopped && order.indexOf(other.kind) > order.indexOf(draft.kind)
}

/** A call whose position is unknown may still be preceded by text that is held back. */
function mayBegin(draft: Draft): boolean {
  return !isEmpty(draft) && (draft.placed || draft.kind !== 'tool_use')
}

function isEmpty({ kind, waiting, tail }: Draft): boolean {
  return (kind === 'text' || kind === 'thinking') && waiting.length === 0 && tail.length === 0
}
