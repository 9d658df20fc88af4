import { type KillSubject, type KillSwitch, killSwitchCovers } from '../aegis/api.ts'

/** A call under way, as far as a kill switch needs to know it. */
export interface RunningCall {
  /** Who and what; asked again at each activation, because the target may change between attempts. */
  subject(): KillSubject
  abort(killSwitch: KillSwitch): void
}

export interface RunningCalls {
  /** Answers what ends the registration. */
  add(call: RunningCall): () => void
  /** Aborts every call a switch of level `hard` covers and says how many. */
  abortCovered(killSwitch: KillSwitch, nowMs: number): number
  count(): number
}

export function createRunningCalls(): RunningCalls {
  const calls = new Set<RunningCall>()
  return {
    add: (call) => {
      calls.add(call)
      return () => calls.delete(call)
    },
    abortCovered: (killSwitch, nowMs) => {
      if (killSwitch.level !== 'hard') return 0
      const covered = [...calls].filter((call) => killSwitchCovers(killSwitch, call.subject(), nowMs))
      for (const call of covered) call.abort(killSwitch)
      return covered.length
    },
    count: () => calls.size,
  }
}
