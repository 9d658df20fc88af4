import { type KillSubject, type KillSwitch, killSwitchCovers, type ListedSwitch } from '../../aegis/api.ts'

/** A question to one target, which a kill switch may end without the rest of its call. */
export interface RunningQuestion {
  /** The question is aborted if a switch covers any of these. */
  readonly subjects: readonly KillSubject[]
  abort(killSwitch: KillSwitch): void
}

/** A running call, as far as a kill switch needs to know it. */
export interface RunningCall {
  /**
   * Subjects per target that answers, or may still answer. A switch that covers a subject of every target ends the
   * call. Evaluated anew on each check.
   */
  subjects(): readonly (readonly KillSubject[])[]
  readonly questions: ReadonlySet<RunningQuestion>
  abort(killSwitch: KillSwitch): void
}

export interface RunningCalls {
  /** Returns the function that ends the registration. */
  add(call: RunningCall): () => void
  /**
   * Aborts the calls, or single questions of calls, covered by a switch of level `hard`; returns the number of calls
   * affected.
   */
  abortCovered(killSwitch: ListedSwitch, nowMs: number): number
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
      const isCovered = (subject: KillSubject): boolean => killSwitchCovers(killSwitch, subject, nowMs)
      return [...calls].filter((call) => stop(call, killSwitch, isCovered)).length
    },
    count: () => calls.size,
  }
}

function stop(call: RunningCall, killSwitch: KillSwitch, isCovered: (subject: KillSubject) => boolean): boolean {
  if (call.subjects().every((subjects) => subjects.some(isCovered))) {
    call.abort(killSwitch)
    return true
  }
  const stopped = [...call.questions].filter(({ subjects }) => subjects.some(isCovered))
  for (const question of stopped) question.abort(killSwitch)
  return stopped.length > 0
}
