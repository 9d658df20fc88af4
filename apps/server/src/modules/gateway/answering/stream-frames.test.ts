import { describe, expect, test } from 'vitest'
import { createFakeClock } from '../../../kernel/testing/fake-clock.ts'
import { plainAsked } from '../call/asked.ts'
import { type AnswerEvent, emptyCall } from '../call/call.ts'
import { errors } from '../declared/errors.ts'
import { beginCall } from '../pipeline/begin.ts'
import { type RestOfAnswer, streamFrames } from './stream-frames.ts'

const asked = { ...plainAsked, operation: 'chat', dialect: 'parapet', stream: true, read: () => emptyCall } as const
const caller = { actor: { userId: 'u' }, info: { header: () => undefined } } as unknown as Parameters<
  typeof beginCall
>[1]
const random = { uuid: () => '' } as Parameters<typeof beginCall>[0]['random']

const writer = {
  push: (event: AnswerEvent) => (event.type === 'text' ? [event.text] : []),
  end: () => ['end'],
  fail: () => ['failed'],
  keepAlive: ': keep-alive\n\n',
}

function setup(events: AsyncIterable<AnswerEvent>) {
  const clock = createFakeClock()
  const state = beginCall({ clock, random }, caller, asked)
  state.write({ answer: { flow: { kind: 'stream', events } } })
  const left: RestOfAnswer[] = []
  const end = {
    finish: async () => {},
    fail: async () => {
      throw errors.streamBroken()
    },
    abandon: (rest: RestOfAnswer) => {
      left.push(rest)
    },
  }
  const frames = streamFrames({ clock }, { state, writer, end })[Symbol.asyncIterator]()
  return { clock, frames, left, state }
}

/** Endless pieces; counts those that were read. */
function endless() {
  const read = { count: 0 }
  async function* pieces(): AsyncGenerator<AnswerEvent> {
    for (;;) {
      read.count += 1
      yield { type: 'text', choice: 0, channel: 'text', text: `${read.count}` }
    }
  }
  return { read, events: pieces() }
}

describe('the frames of a stream', () => {
  test('are read from the provider one ahead of their reader and no further', async () => {
    const { read, events } = endless()
    const { frames } = setup(events)
    for (let frame = 1; frame <= 100; frame += 1) {
      expect((await frames.next()).value).toBe(`${frame}`)
      await new Promise((resolve) => setImmediate(resolve))
      expect(read.count).toBeLessThanOrEqual(frame + 1)
    }
  })

  test('are joined by a sign of life every fifteen seconds of silence', async () => {
    async function* silent(): AsyncGenerator<AnswerEvent> {
      await new Promise(() => {})
      yield { type: 'start', model: 'm', fingerprint: null }
    }
    const { clock, frames } = setup(silent())
    for (let sign = 0; sign < 3; sign += 1) {
      const next = frames.next()
      await new Promise((resolve) => setImmediate(resolve))
      clock.advance(15_000)
      expect((await next).value).toBe(': keep-alive\n\n')
    }
  })

  test('stop where the call was ended, also those of an answer that was complete before', async () => {
    const pieces = ['one', 'two', 'three'].map((text) => ({ type: 'text', choice: 0, channel: 'text', text }) as const)
    const { events } = endless()
    for (const answer of [
      { kind: 'whole', events: pieces },
      { kind: 'stream', events },
    ] as const) {
      const { frames, state } = setup(events)
      state.write({ answer: { flow: answer } })
      await frames.next()
      state.life.abort.abort(new Error('stopped'))
      expect((await frames.next()).value).toBe('failed')
      expect((await frames.next()).done).toBe(true)
    }
  })

  test('leave the rest of the answer to whoever still wants it', async () => {
    const { events } = endless()
    const { frames, left } = setup(events)
    await frames.next()
    await frames.return?.()
    await new Promise((resolve) => setImmediate(resolve))
    const next = await left[0]?.next()
    expect(next?.value).toMatchObject({ type: 'text' })
  })
})
