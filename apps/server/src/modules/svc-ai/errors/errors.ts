import { defineErrors } from '../../../kernel/errors/errors.ts'

interface Said {
  readonly what: string
}

export const errors = defineErrors('SVC', {
  unknownReference: [1, 422, 'Named Resource Unknown', (p: Said) => p.what],
  filtersContradict: [2, 422, 'Filters Contradict Each Other', (p: Said) => p.what],
  contextTooLong: [
    3,
    422,
    'Context Too Long',
    (p: { tokens: number; window: number }) =>
      `The conversation takes about ${p.tokens} tokens and its window has ${p.window}. Raise \`context.window_tokens\`, or use the strategy \`sliding_window\`.`,
  ],
  chatUnbound: [
    5,
    422,
    'No Chat Model Bound',
    () => 'No model is bound to the role `chat`. Bind one with PATCH /svc-ai/providers/{binding_id}.',
  ],
  notCleared: [
    6,
    422,
    'Provider Not Cleared for the Passages',
    (p: { dataClass: string }) =>
      `Every passage that was found is ${p.dataClass} or higher, which the bound provider may not be sent. Bind a provider that may be, or ask with \`retrieve_only\`.`,
  ],
  tooManyPins: [
    7,
    422,
    'Too Many Pinned Facts',
    (p: { limit: number }) => `A conversation holds ${p.limit} pinned facts at most. Unpin one first.`,
  ],
  conversationClosed: [9, 409, 'Conversation Takes No Messages', (p: Said) => p.what],
  sourceBusy: [
    11,
    409,
    'Source Busy',
    (p: { status: string }) => `The source is ${p.status}. Try again when it is ready.`,
  ],
  urlRefused: [
    12,
    422,
    'Address Refused',
    (p: { rule: string }) => `The address is not allowed by the network guard (${p.rule}).`,
  ],
  documentRefused: [13, 422, 'Document Refused', (p: Said) => p.what],
  nameTaken: [
    15,
    409,
    'Name Taken',
    (p: { name: string }) => `A knowledge source named "${p.name}" exists. Send \`resync: true\` to index it again.`,
  ],
  targetUnknown: [16, 422, 'Provider or Model Unknown', (p: Said) => p.what],
  cannotServe: [17, 422, 'Model Cannot Serve the Role', (p: Said) => p.what],
  templateInvalid: [18, 422, 'Template Invalid', (p: Said) => p.what],
  versionDiffers: [
    19,
    409,
    'Version Differs',
    (p: { version: number }) =>
      `The newest version of the prompt is ${p.version}. Read it, and send it as \`expected_version\`.`,
  ],
  datasetInvalid: [20, 422, 'Dataset Invalid', (p: Said) => p.what],
  embeddingUnbound: [
    22,
    422,
    'No Embedding Model Bound',
    () =>
      'No model is bound to the role `embedding`. Bind one with PATCH /svc-ai/providers/{binding_id}, or ask with the mode `auto` or `lexical`.',
  ],
  tooManyEvaluations: [
    21,
    409,
    'Too Many Evaluations',
    (p: { limit: number }) => `${p.limit} evaluations wait or run. Try again when one has ended.`,
  ],
})
