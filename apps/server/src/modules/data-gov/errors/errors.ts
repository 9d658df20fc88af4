import { defineErrors } from '../../../kernel/errors/errors.ts'

interface Said {
  readonly what: string
}

export const errors = defineErrors('DGOV', {
  sourceUnreadable: [1, 422, 'Source Cannot Be Read', (p: Said) => p.what],
  fileRefused: [2, 422, 'File Refused', (p: Said) => p.what],
  unknownLabel: [4, 422, 'Unknown Category or Level', (p: Said) => p.what],
  pinned: [
    5,
    409,
    'Label Is Pinned',
    () => 'The labels of this asset are pinned. Unpin them first (`pin: false`), which needs data-gov:admin.',
  ],
  eventInvalid: [6, 422, 'Not an OpenLineage Event', (p: Said) => p.what],
  batchRefused: [
    7,
    422,
    'Every Event Refused',
    (p: { count: number }) =>
      `None of the ${p.count} events is valid. Correct the fields named in \`errors\` and send them again.`,
  ],
  unknownPurpose: [8, 422, 'Unknown Purpose, Notice or Basis', (p: Said) => p.what],
  impossibleEvent: [9, 409, 'Impossible Order of Events', (p: Said) => p.what],
  subjectUnclear: [10, 422, 'Data Subject Not Identified', (p: Said) => p.what],
  policyConflict: [11, 409, 'Policy Conflict', (p: Said) => p.what],
  held: [
    12,
    409,
    'Legal Hold',
    (p: { matters: string }) =>
      `A legal hold keeps this data: ${p.matters}. It can be erased after the release of the hold.`,
  ],
  secondPerson: [13, 403, 'Second Person Needed', (p: Said) => p.what],
  drifted: [
    14,
    409,
    'Plan Drifted',
    (p: { was: number; is: number }) =>
      `The dry run found ${p.was} rows and there are ${p.is} now. Make another dry run.`,
  ],
  illegalMove: [15, 409, 'Illegal Move', (p: Said) => p.what],
  identityUnverified: [
    16,
    422,
    'Identity Not Verified',
    () => 'The identity of the requester is not verified. Send the action `verify_identity` with its method first.',
  ],
  personErased: [
    17,
    409,
    'Person Was Erased',
    () => 'This person was erased on request. Record a new consent under other identifiers after the person returned.',
  ],
  exportGone: [
    18,
    404,
    'Export Not Available',
    () => 'The export has expired or does not exist yet. Make another request.',
  ],
  storeUnavailable: [
    19,
    503,
    'Store Unavailable',
    () =>
      'Stored content cannot be read, so nothing was deleted in it. Try again, and tell an administrator if it lasts.',
  ],
  belowMinimum: [20, 409, 'Below the Statutory Minimum', (p: Said) => p.what],
})
