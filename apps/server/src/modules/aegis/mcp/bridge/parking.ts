/**
 * Calls that wait for their client's answer, which comes in another request: a client without sessions returns a state
 * that is sealed for its key and its arguments. The instance that began the call keeps its connection to the upstream;
 * the other instances reach it by the change feed. Tested in mcp-sessions.test.ts.
 */
import type { TenantId } from '../../../../kernel/access/actor.ts'
import type { Kernel } from '../../../../kernel/kernel.ts'
import type { Asked } from '../call/types.ts'
import { UpstreamFault } from '../upstream/fault.ts'
import { isAnswerTo, type Members, objectOf } from '../wire/json-rpc.ts'
import { answerMs } from './answers.ts'
import { type Carrier, ContentTooLarge } from './carrier.ts'
import type { Line, Reply } from './line.ts'
import { createRemoteLines, newsTopic, resumeTopic } from './remote-line.ts'
import { createStates, keyOf, repliesOf } from './state.ts'
import { isQuestion } from './translate.ts'

/** Registers work that a kill switch may have to end; the answer takes it back. */
export type Keep = (asked: Asked, tool: string | null, end: () => void) => () => void

export interface Holding {
  readonly asked: Asked
  readonly tool: string | null
  readonly line: Line
  /** Ids of the questions at the upstream. */
  readonly questions: readonly Members[]
  readonly argsSha256: string | null
}

export interface Resumed {
  readonly line: Line
  readonly replies: readonly Reply[]
  readonly argsSha256: string | null
}

export interface Parking {
  /** Keeps a call until its client has answered; gives the state that finds it. */
  hold(holding: Holding): string
  /** The call that a client comes back to; null where its message names none of ours, `over` where it is gone. */
  find(asked: Asked): Resumed | 'over' | null
}

interface Place {
  readonly line: Line
  readonly release: () => void
  timer: { stop(): void }
  isPumping: boolean
}

type Parts = Pick<Kernel, 'live' | 'clock' | 'random' | 'platformKeys' | 'background'>

/** The most calls that one instance keeps. */
const mostPlaces = 2_000

interface Places {
  get(name: string): Place | undefined
  add(holding: Holding): string
  /** The place is its taker's from now on. */
  take(name: string): Line | null
  /** Begins or ends the time in which its client has to come back. */
  rest(place: Place, name: string): void
  end(name: string, isAnswered?: boolean): void
}

function createPlaces({ clock, random }: Pick<Parts, 'clock' | 'random'>, keep: Keep): Places {
  const places = new Map<string, Place>()
  const remove = (name: string): Place | null => {
    const place = places.get(name)
    if (place === undefined) return null
    places.delete(name)
    place.timer.stop()
    place.release()
    return place
  }
  const end = (name: string, isAnswered = false): void => {
    const place = remove(name)
    if (!isAnswered) place?.line.abandon()
    place?.line.close()
  }
  const expire = (name: string) => clock.after(answerMs, () => end(name))
  return {
    get: (name) => places.get(name),
    add: ({ asked, tool, line }) => {
      const name = random.hex(16)
      const [oldest] = places.keys()
      if (places.size >= mostPlaces && oldest !== undefined) end(oldest)
      const release = keep(asked, tool, () => end(name))
      places.set(name, { line, release, timer: expire(name), isPumping: false })
      return name
    },
    take: (name) => remove(name)?.line ?? null,
    rest: (place, name) => {
      place.isPumping = false
      place.timer = expire(name)
    },
    end,
  }
}

export function createParking(kernel: Parts, carrier: Carrier, keep: Keep): Parking {
  const places = createPlaces(kernel, keep)
  const states = createStates(kernel)
  const remote = createRemoteLines(kernel, carrier)
  kernel.live.on(resumeTopic, (name, data, tenantId) => {
    const place = places.get(name)
    const content = objectOf(place === undefined ? null : carrier.open(name, data))
    if (place === undefined) return
    if (content.close === true) return places.end(name)
    if (place.isPumping || !Array.isArray(content.replies)) return
    place.isPumping = true
    place.timer.stop()
    const { line } = place
    const work = pump({ name, tenantId, line, replies: content.replies, carrier }).then((isAsked) =>
      isAsked ? places.rest(place, name) : places.end(name, true),
    )
    kernel.background('carrying a call to another instance', work)
  })
  return {
    hold: (holding) => {
      const { asked, line, questions, argsSha256 } = holding
      const call = line.place ?? places.add(holding)
      return states.seal(asked, { call, id: line.id, keys: questions.map(({ id }) => keyOf(id)), argsSha256 })
    },
    find: (asked) => {
      const state = states.open(asked)
      if (state === null || state === 'over') return state
      const { call, keys, argsSha256 } = state
      if (places.get(call)?.isPumping === true) return 'over'
      const line = places.take(call) ?? remote.line(asked, state)
      return { line, replies: repliesOf(keys, objectOf(asked.params.inputResponses)), argsSha256 }
    },
  }
}

interface Pumping {
  readonly name: string
  readonly tenantId: TenantId
  readonly line: Line
  readonly replies: readonly Reply[]
  readonly carrier: Carrier
}

/** Carries the messages of a line to the instance that serves its client; true where the line goes on after a question. */
async function pump({ name, tenantId, line, replies, carrier }: Pumping): Promise<boolean> {
  const tell = (content: Members) => carrier.send(tenantId, { topic: newsTopic, key: name, content })
  try {
    await tell({ taken: true })
    await line.reply(replies)
    for (let message = await line.next(); message !== null; message = await line.next()) {
      await tell({ message })
      if (isQuestion(message)) return true
      if (isAnswerTo(message, line.id)) return false
    }
    await tell({ end: true })
  } catch (error) {
    if (error instanceof ContentTooLarge) await tell({ fault: 'too_large' })
    else if (error instanceof UpstreamFault) await tell({ fault: error.kind })
    else throw error
  }
  return false
}
