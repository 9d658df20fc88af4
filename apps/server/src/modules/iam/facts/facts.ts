/** Identity facts for other modules. Tested in facts.test.ts and modules/compliance/checks/populations.test.ts. */
import { accessReviewsFact } from './access-reviews.ts'
import { agentsFact } from './agents.ts'
import { apiKeysFact } from './api-keys.ts'
import { leaversFact } from './leavers.ts'
import { peopleFact } from './people.ts'
import { privilegedAccountsFact } from './privileged-accounts.ts'
import { secondFactorsFact } from './second-factors.ts'
import { ssoCertificatesFact, ssoDomainsFact } from './sso.ts'

export const iamFacts = [
  ...[secondFactorsFact, privilegedAccountsFact, apiKeysFact, agentsFact],
  ...[peopleFact, leaversFact, ssoDomainsFact, ssoCertificatesFact, accessReviewsFact],
]
