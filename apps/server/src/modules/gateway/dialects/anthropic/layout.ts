/**
 * The events of an answer as content blocks. Texts may come late, because inspection holds them back, so a block ends
 * when its provider ended it and all of its text has arrived, or with the answer; until then later content waits. The
 * blocks are the same however texts are split. Tested in layout.test.ts.
 */
import { exactJson } from '../../../../kernel/base/exact-json.ts'
import type { AnswerEvent } from '../../call/call.ts'
import { endsThought } from '../../call/texts/event-filter.ts'
import { type BlockStep, createBlockQueue, type Draft, type Json } from './block-queue.ts'
import { type Mark, markOf, sealedOf } from './marks.ts'

export interface Layout {
  push(event: AnswerEvent): readonly BlockStep[]
  /** The blocks still waiting. */
  end(): readonly BlockStep[]
}

export interface LayoutOptions {
  /** False once a text may have been changed, so that its original length no longer applies. */
  readonly isExact: () => boolean
}

const heads = {
  text: { type: 'text', text: '' },
  thinking: { type: 'thinking', thinking: '', signature: '' },
} as const satisfies Record<string, Json>

export function createLayout({ isExact }: LayoutOptions): Layout {
  const queue = createBlockQueue()
  const tools = new Map<number, Draft>()
  /** Members of the next tool call, if its provider announced it. */
  let toolMembers: Json | null = null

  const lastOf = (kind: Draft['kind']): Draft | undefined =>
    queue.drafts.findLast((draft) => draft.kind === kind && !draft.stopped)
  const openOf = (kind: 'text' | 'thinking'): Draft => lastOf(kind) ?? queue.add(kind, heads[kind], false)

  const addText = (kind: 'text' | 'thinking', text: string): void => {
    const last = openOf(kind)
    let rest = text
    for (const draft of queue.drafts) {
      if (draft.kind !== kind || draft.stopped || rest === '') continue
      const room = draft === last || draft.length === null ? rest.length : draft.length - draft.received
      addDelta(draft, rest.slice(0, Math.max(0, room)))
      rest = rest.slice(Math.max(0, room))
    }
  }

  const addMark = (mark: Mark): void => {
    switch (mark.mark) {
      case 'begins':
        if (mark.kind === 'tool_use') toolMembers = mark.members
        else queue.add(mark.kind, { ...heads[mark.kind], ...mark.members }, true)
        return
      case 'ends': {
        const draft = lastOf(mark.kind)
        if (draft !== undefined) draft.length = mark.length
        return
      }
      case 'whole':
        addWhole(queue.add('whole', wholeHead(mark.block), true), mark)
        return
      default:
        mark satisfies never
    }
  }

  const addSealed = (event: Extract<AnswerEvent, { readonly type: 'reasoning_data' }>): void => {
    const found = sealedOf(event)
    if (found === null) return
    if (found.type === 'redacted_thinking') queue.add('whole', found, true)
    else openOf('thinking').tail.push({ type: 'signature_delta', signature: found.signature })
  }

  /** Text filters release reasoning before later content, so that content does not wait. */
  const endThoughts = (): void => {
    for (const draft of queue.drafts) if (draft.kind === 'thinking' && !draft.stopped) draft.over = true
  }

  const take = (event: AnswerEvent): void => {
    if (endsThought(event)) endThoughts()
    switch (event.type) {
      case 'text':
        addText(event.channel === 'reasoning' ? 'thinking' : 'text', event.text)
        return
      case 'tool_call':
        tools.set(event.index, queue.add('tool_use', toolHead(event, toolMembers ?? {}), toolMembers !== null))
        toolMembers = null
        return
      case 'tool_arguments': {
        const draft = tools.get(event.index)
        if (draft !== undefined) addDelta(draft, event.text)
        return
      }
      case 'reasoning_data':
        addSealed(event)
        return
      case 'annotation':
        if (event.note.form === 'anthropic_messages')
          openOf('text').tail.push({ type: 'citations_delta', citation: event.note.value })
        return
      case 'raw': {
        const mark = markOf(event)
        if (mark !== null) addMark(mark)
        return
      }
      default:
        return
    }
  }

  const isComplete = (draft: Draft): boolean =>
    draft.kind === 'whole' || draft.over || (draft.length !== null && draft.received === draft.length && isExact())
  return {
    push: (event) => {
      // This form has one choice.
      if ('choice' in event && event.choice > 0) return []
      take(event)
      return queue.advance(isComplete)
    },
    end: () => queue.advance(() => true),
  }
}

function addDelta(draft: Draft, text: string): void {
  if (text === '') return
  draft.received += text.length
  draft.waiting.push(deltaOf(draft.kind, text))
}

function deltaOf(kind: Draft['kind'], text: string): Json {
  if (kind === 'text') return { type: 'text_delta', text }
  if (kind === 'thinking') return { type: 'thinking_delta', thinking: text }
  return { type: 'input_json_delta', partial_json: text }
}

function toolHead({ id, name }: { readonly id: string; readonly name: string }, members: Json): Json {
  return { type: 'tool_use', id, name, input: {}, ...members }
}

/** A block with an input begins without it, as in the vendor's own streams. */
function wholeHead(block: Json): Json {
  return hasInput(block) ? { ...block, input: {} } : block
}

function addWhole(
  draft: Draft,
  { block, deltas }: { readonly block: Json; readonly deltas: readonly unknown[] },
): void {
  if (hasInput(block)) draft.waiting.push({ type: 'input_json_delta', partial_json: exactJson(block.input) })
  for (const delta of deltas) if (typeof delta === 'object' && delta !== null) draft.waiting.push({ ...delta })
}

function hasInput({ input }: Json): boolean {
  return typeof input === 'object' && input !== null
}
