/**
 * A call in storable form: without the data its policy hides or refuses. It is inspected like a call that is sent, also
 * across the borders of its texts. Tested in chat-retention.test.ts.
 */
import { createVault } from '@parapet/detect'
import type { CanonicalCall } from '../call/call.ts'
import { mapTexts } from '../call/texts/texts.ts'
import type { SensitiveFinder } from '../detection/finders.ts'
import type { EffectivePolicy } from '../policy/merge.ts'
import { hideInText } from './sensitive-texts.ts'
import { gatherSplit } from './split-values.ts'

type Rules = EffectivePolicy['sensitive_data']

/** The call without data that the policy redacts or blocks. Nothing can be restored from it. */
export function hideSensitive(call: CanonicalCall, rules: Rules, find: SensitiveFinder): CanonicalCall {
  const gathered = gatherSplit(call, rules, find)
  return hideGathered(gathered.call, rules, gathered.find)
}

/** The same for a call whose split values were already joined. */
export function hideGathered(call: CanonicalCall, rules: Rules, find: SensitiveFinder): CanonicalCall {
  const vault = createVault()
  return mapTexts(call, (piece) => hideInText(piece, rules, find, vault))
}
