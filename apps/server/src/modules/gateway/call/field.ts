/** One field of a call as in the tables of providers: the places where a call uses it, and the call without it. */
import type { CanonicalCall, Part, VendorForm } from './call.ts'

/** Finds the uses of a field as pointers to their places. */
type Uses = (call: CanonicalCall, forms: readonly VendorForm[]) => readonly string[]

export interface Field {
  /** Pointers of its uses; a vendor's own members do not count as uses at a provider of that form. */
  readonly uses: Uses
  /**
   * The call without the field; absent if removing it would change the call's meaning, so that it can only be refused.
   */
  readonly without?: (call: CanonicalCall, forms: readonly VendorForm[]) => CanonicalCall
}

export function parts(isUse: (part: Part, forms: readonly VendorForm[]) => boolean): Field {
  return {
    uses: (call, forms) =>
      call.turns.flatMap((turn, index) =>
        turn.parts.some((part) => isUse(part, forms)) ? [`${turn.at ?? `/messages/${index}`}/content`] : [],
      ),
  }
}
