/** Facts of the gateway that other modules may read by name. Tested in facts.test.ts. */
import { attacksFact } from './attacks.ts'
import { budgetsFact } from './budgets.ts'
import { callLogFact } from './call-log.ts'
import { decisionsFact } from './decisions.ts'
import { policiesFact } from './policies.ts'
import { providersFact } from './providers.ts'
import { recentCallsFact } from './recent-calls.ts'

export const gatewayFacts = [
  decisionsFact,
  attacksFact,
  providersFact,
  policiesFact,
  recentCallsFact,
  callLogFact,
  budgetsFact,
]
