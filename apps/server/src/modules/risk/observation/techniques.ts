/**
 * Which technique of MITRE ATLAS a blocked model call was an attempt of. Only what an adversary does counts: a user who
 * meets a budget or types an address attacks nobody. Pure. Tested in techniques.test.ts.
 */
import type { LoggedEvent } from '../../../kernel/events/catalogue/logged-event.ts'

/** AML.T0051.000 comes from the person who asks, AML.T0051.001 from text that the person or an agent brought along. */
const promptInjection = { direct: 'AML.T0051.000', indirect: 'AML.T0051.001' } as const
const dataLeakage = 'AML.T0057'

const fromAsker: ReadonlySet<unknown> = new Set([null, undefined, 'user'])

/** The technique, or null where the call was blocked for another reason. */
export function techniqueOf({ data }: Pick<LoggedEvent, 'data'>): string | null {
  const { blocked_by: by, provenance } = data
  const code = typeof by === 'object' && by !== null && 'error_code' in by ? by.error_code : null
  if (code === 'GW-003') return fromAsker.has(provenance) ? promptInjection.direct : promptInjection.indirect
  return code === 'GW-006' ? dataLeakage : null
}

/** Whether a threat that a risk or an analysis cites is the technique, or the technique that it is a part of. */
export const cites = (cited: string, technique: string): boolean =>
  cited === technique || technique.startsWith(`${cited}.`)
