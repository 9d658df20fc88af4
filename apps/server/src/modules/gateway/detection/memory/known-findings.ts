/**
 * Known findings in the texts of one call: made for this call, or remembered from an earlier one. Nothing is searched
 * twice in a call, and a known finding stays known for the call even if the memory evicts it. Tested in
 * finding-memory.test.ts.
 */
import type { RuledMemory } from './finding-memory.ts'
import type { Look } from './look.ts'

export interface KnownFindings {
  has(look: Look<unknown>, text: string): boolean
  /** Runs the detector if the findings are unknown. */
  find<T>(look: Look<T>, text: string): T
  learn<T>(look: Look<T>, text: string, found: T): void
}

/** @param memory of the call's tenant; null if nothing is to be remembered */
export function createKnownFindings(memory: RuledMemory | null): KnownFindings {
  const here = new Map<string, Map<string, unknown>>()
  const digests = new Map<string, string>()

  const digestOf = (text: string, { digest }: RuledMemory): string => {
    const known = digests.get(text) ?? digest(text)
    digests.set(text, known)
    return known
  }
  const put = ({ name }: Look<unknown>, text: string, found: unknown): void => {
    const ofLook = here.get(name)
    if (ofLook === undefined) here.set(name, new Map([[text, found]]))
    else ofLook.set(text, found)
  }
  const recall = (look: Look<unknown>, text: string): unknown => {
    const found = here.get(look.name)?.get(text)
    if (found !== undefined || memory === null) return found
    const remembered = memory.get(look.name, digestOf(text, memory))
    if (remembered !== undefined) put(look, text, remembered)
    return remembered
  }
  const learn = (look: Look<unknown>, text: string, found: unknown): void => {
    put(look, text, found)
    if (memory !== null) memory.set(look.name, digestOf(text, memory), found)
  }
  return {
    has: (look, text) => recall(look, text) !== undefined,
    find: <T>(look: Look<T>, text: string): T => {
      // The result of this detector under these rules: nothing else is stored under its name.
      const known = recall(look, text) as T | undefined
      if (known !== undefined) return known
      const found = look.find(text)
      learn(look, text, found)
      return found
    },
    learn,
  }
}
