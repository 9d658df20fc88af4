import { defineErrors } from '../../../kernel/errors/errors.ts'

interface Said {
  readonly what: string
}

export const errors = defineErrors('PLAT', {
  noRecipient: [
    1,
    422,
    'No Recipient',
    () =>
      'No active person of this tenant meets the recipients, or none of them may read the resource. Name others in `recipients`.',
  ],
  templateUnknown: [2, 422, 'Unknown Template', (p: Said) => p.what],
  templateFailed: [3, 422, 'Template Failed', (p: Said) => p.what],
  categoryLocked: [
    4,
    422,
    'Category Locked',
    (p: { category: string }) =>
      `Notifications of the category ${p.category} are always shown in the inbox. Leave out \`inbox: false\` for it.`,
  ],
  windowInvalid: [5, 422, 'Quiet Hours Invalid', (p: Said) => p.what],
  reportInvalid: [6, 422, 'Report Parameters Invalid', (p: Said) => p.what],
  cronInvalid: [7, 422, 'Schedule Invalid', (p: Said) => p.what],
  formatMissing: [
    8,
    422,
    'Format Not Produced',
    (p: { formats: string }) => `The report was produced as ${p.formats}. Ask for one of these.`,
  ],
  reportNotReady: [9, 409, 'Report Not Available', (p: Said) => p.what],
  inputInvalid: [10, 422, 'Input Invalid', (p: Said) => p.what],
  versionDiffers: [
    11,
    409,
    'Version Differs',
    (p: { kind: string; version: number }) =>
      `The ${p.kind} is at version ${p.version}. Read it again and send that as \`expected_version\`.`,
  ],
  definitionInvalid: [12, 422, 'Definition Invalid', (p: Said) => p.what],
  permissionMissing: [
    13,
    403,
    'Run Lacks a Permission',
    (p: { permission: string }) =>
      `The run needs the permission ${p.permission}, which its owner does not hold now or its definition does not declare.`,
  ],
  notRunnable: [14, 409, 'Workflow Cannot Run', (p: Said) => p.what],
  alreadyDecided: [15, 409, 'Already Decided', () => 'The approval was decided already. Read the run again.'],
  illegalAction: [
    16,
    409,
    'Illegal Action',
    (p: { action: string; status: string }) => `A run that is ${p.status} takes no ${p.action}.`,
  ],
  notApprover: [17, 403, 'Not an Approver', (p: Said) => p.what],
  notActive: [
    18,
    409,
    'Integration Not Active',
    (p: { status: string }) => `The integration is ${p.status}. Set its status to active first.`,
  ],
  configInvalid: [19, 422, 'Configuration Invalid', (p: Said) => p.what],
  destinationRefused: [
    20,
    422,
    'Destination Refused',
    (p: { rule: string }) =>
      `The network guard refuses the destination (${p.rule}). Private networks need an entry in the operator's allow-list.`,
  ],
  testFailed: [21, 502, 'Test Failed', (p: Said) => p.what],
  nothingToReplay: [22, 422, 'Nothing to Replay', (p: Said) => p.what],
})
