import type { CallText } from '../call/texts.ts'
import type { CallState } from './call-state.ts'

/** The texts of a call as the caller sent them, from step 5 to the detectors; gone with the call. */
export interface InspectedTexts {
  set(state: CallState, texts: readonly CallText[]): void
  of(state: CallState): readonly CallText[]
}

export function createInspectedTexts(): InspectedTexts {
  const held = new WeakMap<CallState, readonly CallText[]>()
  return {
    set: (state, texts) => {
      held.set(state, texts)
    },
    of: (state) => held.get(state) ?? [],
  }
}
