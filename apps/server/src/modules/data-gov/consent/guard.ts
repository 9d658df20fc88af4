/**
 * Stops model calls about people who have not given, or have withdrawn, consent. A call names the person in
 * `metadata.data_subject` and the reason in `metadata.purpose`; a call that names nobody is not judged. A policy makes the
 * two members a duty (`content.required_metadata`). Tested in consents.test.ts.
 */
import { type InputGuard, inputGuard, type Verdict } from '../../gateway/ports/call-guards.ts'
import { type Decision, decide, type SubjectState } from '../engine/decide.ts'
import type { DataGovServices } from '../services/data-gov-services.ts'
import { strictConsent } from './settings.ts'

const limitMs = 2_000

export function consentGuard({ kernel, consent }: DataGovServices): InputGuard {
  return inputGuard({
    name: 'data-gov.consent',
    needs: ['metadata', 'targets'],
    limitMs,
    // A call that names nobody costs a look at its metadata.
    judges: () => true,
    judge: ({ tenantId }, part) => {
      const { data_subject: person, purpose } = part('metadata')
      if (person === undefined) return []
      if (purpose === undefined) return [noPurpose]
      const judged = (subject: SubjectState | null): readonly Verdict[] => {
        const at = kernel.clock.now()
        // Every model that may be asked is a recipient.
        const decisions = part('targets').map(({ provider }) => decide({ subject, purpose, recipient: provider, at }))
        const denied = decisions.find(({ allow }) => !allow)
        return denied === undefined ? [] : [refusal(denied)]
      }
      const fresh = kernel.settings.get(strictConsent, tenantId)
      const known = fresh ? undefined : consent.known(tenantId, person)
      return known === undefined ? consent.find(tenantId, person, fresh).then(judged) : judged(known)
    },
  })
}

const noPurpose: Verdict = {
  decision: 'block',
  rule: 'purpose-missing',
  reason: 'The call names a data subject and no purpose. Add `metadata.purpose`.',
}

const refusal = ({ rule, reason }: Decision): Verdict => ({
  decision: 'block',
  rule: `consent-${rule.replaceAll('_', '-')}`,
  reason,
})
