/** What other modules may read of identities by name. Tested in facts.test.ts. */
import { agentsFact } from './agents.ts'
import { apiKeysFact } from './api-keys.ts'
import { privilegedAccountsFact } from './privileged-accounts.ts'
import { secondFactorsFact } from './second-factors.ts'

export const iamFacts = [secondFactorsFact, privilegedAccountsFact, apiKeysFact, agentsFact]
