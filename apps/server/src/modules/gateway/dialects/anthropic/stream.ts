/**
 * Anthropic's stream: `message_start`, the frames of each block in order, `message_delta` with the usage and
 * `message_stop`; `ping` during silence; `error` instead of the rest. Tested in stream.test.ts.
 */
import { exactJson } from '../../../../kernel/base/exact-json.ts'
import type { ProblemError } from '../../../../kernel/errors/problem.ts'
import type { AnswerEvent } from '../../call/call.ts'
import { type StreamWriter, sseFrame } from '../dialect.ts'
import type { BlockStep, Json } from './block-queue.ts'
import { endOf, gather, type UsageBody, usageBody } from './ending.ts'
import { anthropicError } from './form.ts'
import { createLayout } from './layout.ts'

export interface StreamFacts {
  readonly id: string
  readonly requestId: string
  /** The requested model, for a provider that does not name the answering one. */
  model(): string
  isExact(): boolean
  /** Estimated usage, for a provider that reported none. */
  estimate(): UsageBody
}

/** Usage at the beginning of a stream: the actual usage is known at its end. */
const nothingUsed: UsageBody = { input_tokens: 0, output_tokens: 0 }

export function messageStream({ id, requestId, model, isExact, estimate }: StreamFacts): StreamWriter {
  const { seen, see } = gather()
  const layout = createLayout({ isExact })
  let started = false
  let ended = false

  const begin = (): readonly string[] => {
    if (started) return []
    started = true
    const { usage, ...members } = seen.members
    const message = {
      id: seen.id ?? id,
      type: 'message',
      role: 'assistant',
      model: seen.model || model(),
      content: [],
      stop_reason: null,
      stop_sequence: null,
      ...members,
      usage: { ...nothingUsed, ...(typeof usage === 'object' ? usage : {}) },
    }
    return [frame('message_start', { message })]
  }

  const finish = (): readonly string[] => {
    ended = true
    const { usage, ...members } = seen.endMembers
    const counted = {
      ...(seen.usage === null ? estimate() : usageBody(seen.usage)),
      ...(typeof usage === 'object' ? usage : {}),
    }
    return [
      frame('message_delta', { delta: { ...endOf(seen), ...members }, usage: counted }),
      frame('message_stop', {}),
    ]
  }

  const written = (steps: readonly BlockStep[]): readonly string[] =>
    steps.length === 0 ? [] : [...begin(), ...steps.map(frameOf)]

  return {
    push: (event: AnswerEvent) => {
      see(event)
      if (event.type === 'finish') return event.choice > 0 ? [] : [...begin(), ...written(layout.end())]
      return written(layout.push(event))
    },
    // An answer cut off without a problem ends like a complete one.
    end: () => (ended ? [] : [...begin(), ...written(layout.end()), ...finish()]),
    fail: (problem: ProblemError) => [sseFrame('error', JSON.stringify(anthropicError(problem, requestId)))],
    keepAlive: frame('ping', {}),
  }
}

function frame(type: string, data: Json): string {
  return sseFrame(type, exactJson({ type, ...data }))
}

function frameOf(step: BlockStep): string {
  switch (step.step) {
    case 'start':
      return frame('content_block_start', { index: step.index, content_block: step.block })
    case 'delta':
      return frame('content_block_delta', { index: step.index, delta: step.delta })
    case 'stop':
      return frame('content_block_stop', { index: step.index })
    default:
      return step satisfies never
  }
}
