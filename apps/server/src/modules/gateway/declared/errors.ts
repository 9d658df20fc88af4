import { defineErrors } from '../../../kernel/errors/errors.ts'

/** Part of a one-line description of a rule's finding; never the matched text. */
interface Named {
  readonly names: readonly string[]
}

const list = (names: readonly string[]): string => names.join(', ')

export const errors = defineErrors('GW', {
  unknownTarget: [1, 422, 'Unknown Provider, Model or Route', (p: { what: string }) => p.what],
  policyNotUsable: [
    2,
    422,
    'Policy Not Usable',
    (p: { policy: string }) => `There is no published policy ${p.policy} for this call.`,
  ],
  promptInjection: [
    3,
    422,
    'Prompt Injection Detected',
    (p: Named & { count: number }) =>
      `${p.count} ${p.count === 1 ? 'pattern' : 'patterns'} of prompt injection matched: ${list(p.names)}.`,
  ],
  sensitiveData: [4, 422, 'Sensitive Data Blocked', (p: Named) => `The policy blocks: ${list(p.names)}.`],
  contentPolicy: [
    5,
    422,
    'Content Policy Violation',
    (p: Named) => `The policy's rules were broken: ${list(p.names)}.`,
  ],
  outputBlocked: [6, 422, 'Output Blocked', (p: Named) => `The answer was withheld: ${list(p.names)}.`],
  modelNotAllowed: [7, 403, 'Model Not Allowed', (p: { what: string }) => p.what],
  limitExceeded: [
    8,
    429,
    'Gateway Limit Exceeded',
    (p: { what: string; seconds: number }) => `${p.what} Try again in ${p.seconds} s.`,
  ],
  budgetExceeded: [9, 429, 'Budget Exceeded', (p: { what: string }) => p.what],
  killSwitch: [10, 503, 'Kill Switch Active', (p: { what: string }) => p.what],
  upstreamFailed: [
    11,
    502,
    'Upstream Error',
    (p: { provider: string; how: string }) => `The provider ${p.provider} ${p.how}.`,
  ],
  upstreamTimeout: [12, 502, 'Upstream Timeout', (p: { which: string }) => `The provider was too slow: ${p.which}.`],
  upstreamInvalid: [
    13,
    502,
    'Upstream Sent an Invalid Response',
    (p: { why: string }) => `The provider's answer cannot be used: ${p.why}.`,
  ],
  streamBroken: [14, 502, 'Upstream Stream Broken', () => 'The stream ended before the answer was complete.'],
  credentialRejected: [
    15,
    502,
    'Upstream Rejected Our Credential',
    (p: { provider: string; how: string }) => `The provider ${p.provider} ${p.how}.`,
  ],
  upstreamRateLimited: [
    16,
    429,
    'Upstream Rate Limited',
    (p: { seconds: number }) => `The provider limits our calls. Try again in ${p.seconds} s.`,
  ],
  upstreamRefused: [17, 422, 'Upstream Refused the Request', (p: { message: string }) => p.message],
  noHealthyTarget: [18, 503, 'No Healthy Target', () => 'Every provider that could answer is disabled or failing.'],
  stepFailed: [
    19,
    503,
    'Pipeline Step Failed',
    (p: { step: string }) => `The step ${p.step} failed, and the policy fails closed.`,
  ],
  auditUnavailable: [
    20,
    503,
    'Audit Unavailable',
    () => 'The outcome of the call could not be stored, so it is not given out.',
  ],
  contextTooLong: [
    21,
    422,
    'Context Window Exceeded',
    (p: { tokens: number; most: number }) =>
      `The call has about ${p.tokens} tokens, and no model that could answer reads more than ${p.most}.`,
  ],
  capability: [
    22,
    422,
    'Capability Not Supported',
    (p: { model: string; field: string }) => `The model ${p.model} does not take ${p.field}.`,
  ],
  addressRefused: [
    23,
    422,
    'Provider Address Refused',
    (p: { why: string }) => `The network guard refuses this address: ${p.why}.`,
  ],
  providerInUse: [
    24,
    409,
    'Provider In Use',
    (p: { routes: readonly string[] }) => `Routes ask this provider: ${list(p.routes)}.`,
  ],
  policyTransition: [25, 409, 'Illegal Policy Transition', (p: { what: string }) => p.what],
  policyInvalid: [26, 422, 'Policy Document Invalid', (p: { what: string }) => p.what],
  payloadNotRetained: [28, 409, 'Payload Not Retained', () => 'The content of this call was not kept.'],
  revealRefused: [29, 403, 'Reveal Refused', (p: { why: string }) => p.why],
  killSwitchConflict: [30, 409, 'Kill Switch State Conflict', (p: { what: string }) => p.what],
  nameTaken: [
    31,
    409,
    'Name Taken',
    (p: { what: string; name: string }) => `There is a ${p.what} named ${p.name} already.`,
  ],
  tooLargeToInspect: [
    32,
    422,
    'Too Large to Inspect',
    (p: { what: string }) => `The call holds ${p.what}, which is more than is inspected.`,
  ],
  secondPerson: [33, 403, 'Second Person Required', (p: { what: string }) => p.what],
  loopDetected: [
    34,
    422,
    'Loop Detected',
    (p: { most: number }) =>
      `The call came through more than ${p.most} gateways (Parapet-Hops), as calls in a loop do. Look for a provider whose base_url leads back to a gateway.`,
  ],
  guardFailed: [
    35,
    503,
    'Guard Unavailable',
    (p: { name: string; what: 'call' | 'answer' }) =>
      `The guard ${p.name} could not judge the ${p.what}, so it was refused. Try again; if it persists, look for the guard in the log of the server.`,
  ],
})
