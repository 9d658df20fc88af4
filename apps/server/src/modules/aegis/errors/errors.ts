import { defineErrors } from '../../../kernel/errors/errors.ts'

export const errors = defineErrors('AEGIS', {
  illegalMove: [
    2,
    409,
    'Illegal Transition',
    (p: { what: string; status: string; to?: string }) =>
      p.to === undefined
        ? `The ${p.what} is ${p.status} already.`
        : `The ${p.what} is ${p.status}. From there the change to "${p.to}" is not possible.`,
  ],
  exists: [3, 409, 'Already Exists', (p: { what: string }) => `The same ${p.what} exists already.`],
  invalidExpression: [4, 422, 'Invalid Expression', (p: { what: string }) => p.what],
  notEnforced: [
    5,
    422,
    'Scope Not Enforced',
    (p: { scope: string }) =>
      `Nothing in this installation enforces kill switches of the scope ${p.scope}, so the switch would stop nothing. Use another scope, such as tenant.`,
  ],
  invalidSchema: [6, 422, 'Invalid JSON Schema', (p: { what: string }) => p.what],
  agentNotActive: [
    7,
    403,
    'Agent Not Active',
    (p: { status: string }) =>
      `The caller is no active agent (${p.status}). Register the agent, have it approved and activate it.`,
  ],
  killed: [
    8,
    503,
    'Kill Switch Active',
    () => 'A kill switch stops this caller, or the list of kill switches is too old to be trusted. Try again later.',
  ],
  upstream: [
    11,
    502,
    'MCP Server Failed',
    (p: { why: string }) => `${p.why} Check the address and the credential of the server, and that it is running.`,
  ],
  addressRefused: [
    15,
    422,
    'Address Refused',
    (p: { why: string }) => `The address of the MCP server is not allowed: ${p.why}.`,
  ],
  pinMoved: [
    16,
    409,
    'Definition Changed',
    () => 'The definition is no longer the one that was looked at. Read the tool again and decide about its candidate.',
  ],
  unreadable: [12, 422, 'Unreadable Log or Trace', (p: { what: string }) => p.what],
  secondPerson: [
    9,
    403,
    'Second Person Required',
    (p?: { what: string }) =>
      p?.what ??
      'Ending this kill switch takes two people, not two credentials or a service account: a second administrator, whose account and credentials are not the first one’s doing, repeats the call with the confirm_token within 15 minutes.',
  ],
  settled: [
    10,
    409,
    'Approval Settled',
    (p: { status: string }) => `The approval is ${p.status}, so that nothing is left to decide.`,
  ],
  inUse: [14, 409, 'In Use', (p: { what: string }) => p.what],
  tooCostly: [17, 422, 'Expression Too Costly', (p: { what: string }) => p.what],
  catalogEntry: [18, 422, 'Catalog Entry Refused', (p: { what: string }) => p.what],
  unsupportedRule: [
    13,
    422,
    'Unsupported Rule Construct',
    (p: { construct: string; what: string }) => `The rule cannot be used because of ${p.construct}. ${p.what}`,
  ],
  resolutionMissing: [
    19,
    422,
    'Resolution Missing',
    () => 'To resolve an alert, say its resolution and why in a comment.',
  ],
})
