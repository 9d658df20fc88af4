import { createVault } from '@parapet/detect'
import { expect, test } from 'vitest'
import { systemClock } from '../../../../kernel/base/clock.ts'
import { plainAsked } from '../../call/asked.ts'
import { type AnswerEvent, emptyCall } from '../../call/call.ts'
import { beginCall } from '../begin.ts'
import { restoration } from './13-restoration.ts'
import type { PipelineParts } from './parts.ts'

const clock = systemClock()
const random = { uuid: () => '' } as Parameters<typeof beginCall>[0]['random']
const caller = { actor: { userId: 'u' }, info: { header: () => undefined } } as unknown as Parameters<
  typeof beginCall
>[1]
const asked = { ...plainAsked, operation: 'chat', dialect: 'parapet', stream: true, read: () => emptyCall } as const

/** An answer in pieces, restored from a vault that breaks when it is asked for the second value. */
async function restored(pieces: readonly string[]) {
  const state = beginCall({ clock, random }, caller, asked)
  const vault = createVault()
  vault.placeholderFor('EMAIL', 'anna@example.org')
  vault.placeholderFor('EMAIL', 'bert@example.org')
  const breaking: typeof vault = {
    ...vault,
    valueOf: (name) => {
      if (name === 'EMAIL_2') throw new Error('The vault broke.')
      return vault.valueOf(name)
    },
  }
  state.write({ plan: { vault: breaking } })
  async function* events(): AsyncGenerator<AnswerEvent> {
    for (const text of pieces) yield { type: 'text', choice: 0, channel: 'text', text }
    yield { type: 'finish', choice: 0, reason: 'stop' }
  }
  state.write({ answer: { flow: { kind: 'stream', events: events() } } })
  await restoration({ kernel: { clock } } as PipelineParts).run(state)
  let text = ''
  for await (const event of state.answer.flow?.events ?? []) text += event.type === 'text' ? event.text : ''
  return { text, failOpen: state.findings.failOpen }
}

test('where restoration fails in the middle of a stream, placeholders stay and nothing else is missing', async () => {
  const text = 'To ⟦EMAIL_1⟧, then to ⟦EMAIL_2⟧, and ⟦EMAIL_1⟧ again.'
  const left = 'To anna@example.org, then to ⟦EMAIL_2⟧, and ⟦EMAIL_1⟧ again.'
  expect(await restored([...text])).toEqual({ text: left, failOpen: ['restoration'] })
  // Text in the same piece as the failure stays as it was.
  expect(await restored([text])).toEqual({ text, failOpen: ['restoration'] })
})
