/** Parts of a call as guards read them, and the call without the parts they remove. Tested in call-texts.test.ts. */
import type { CanonicalCall } from '../call/call.ts'
import type { WithFacts } from '../call/facts.ts'
import { withSignatures } from '../call/texts/signed-thoughts.ts'
import { mapTexts, textsOf } from '../call/texts/texts.ts'
import type { WithPlan } from '../plan/call-plan.ts'
import type { GuardTool, InputParts, InputText } from '../ports/call-guards.ts'
import { type Cut, noticeFor, withoutCuts } from './combine.ts'

export function callParts({ plan: { call, targets }, facts: { asked } }: WithPlan & WithFacts): InputParts {
  let texts: readonly InputText[] | undefined
  return {
    get texts() {
      texts ??= textsOf(call).map(({ isName = false, location, provenance, text }) => ({
        ...{ location, provenance, text, isName },
      }))
      return texts
    },
    get tools() {
      return call.tools.map(toolOf)
    },
    metadata: asked.metadata,
    get targets() {
      return targets.map(({ provider, model }) => ({ provider: provider.name, model }))
    },
  }
}

function toolOf(tool: CanonicalCall['tools'][number]): GuardTool {
  const { name } = tool
  return tool.kind === 'function'
    ? { name, description: tool.description, parameters: tool.parameters }
    : { name, description: null, parameters: null }
}

type Cuts = ReadonlyMap<string, readonly Cut[]>

/** Locations of names that would be cut and cannot be replaced. */
export function cutNames(call: CanonicalCall, cuts: Cuts): readonly string[] {
  return textsOf(call).flatMap(({ location, isName }) => (isName === true && cuts.has(location) ? [location] : []))
}

export function withoutCutParts(call: CanonicalCall, cuts: Cuts): CanonicalCall {
  const shown = mapTexts(call, ({ location, text }) => withoutCuts(text, cuts.get(location) ?? []))
  return withSignatures(shown, call)
}

/**
 * The storable call without the parts that were cut from the sent call. The two texts may differ in values hidden by
 * the policy, so each cut is searched by its words, and a text in which it is not found is not stored at all.
 */
export function keepableWithout(keepable: CanonicalCall, sent: CanonicalCall, cuts: Cuts): CanonicalCall {
  const words = new Map<string, (readonly [string, Cut])[]>()
  for (const { location, text } of textsOf(sent)) {
    const found = (cuts.get(location) ?? []).map((cut) => [text.slice(cut.start, cut.end), cut] as const)
    if (found.length > 0) words.set(location, [...(words.get(location) ?? []), ...found])
  }
  return mapTexts(keepable, ({ location, text }) => {
    let left = text
    for (const [word, cut] of words.get(location) ?? []) {
      if (!left.includes(word)) return noticeFor(cut)
      left = left.replaceAll(word, noticeFor(cut))
    }
    return left
  })
}
