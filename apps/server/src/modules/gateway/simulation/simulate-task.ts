import type { ThreadTask } from '../../../kernel/threads/thread-task.ts'
import type { PublishedPolicy } from '../policy/published.ts'
import { dryRun, type Outcome, type SimulatedCall } from './dry-run.ts'
import type { Memory } from './in-place.ts'

export interface CallsToSimulate {
  readonly policy: PublishedPolicy
  /** Policy that the result is compared with. */
  readonly other: PublishedPolicy | null
  readonly markingKey: Uint8Array
  readonly calls: readonly SimulatedCall[]
}

export interface SimulatedPair {
  readonly id: string | null
  readonly outcome: Outcome
  readonly other: Outcome | null
}

/** Some calls under one policy, or two. Ends early when no one waits any more. */
export const simulateCalls: ThreadTask<CallsToSimulate, readonly SimulatedPair[]> = {
  name: 'gateway.simulate',
  run: ({ policy, other, markingKey, calls }, { stopped }) =>
    calls.map((call) => {
      if (stopped()) throw new Error('Nobody waits for the simulation any more')
      const memory: Memory = new Map()
      const under = (one: PublishedPolicy) => dryRun(call, { policy: one, markingKey, memory })
      return { id: call.id, outcome: under(policy), other: other === null ? null : under(other) }
    }),
}
