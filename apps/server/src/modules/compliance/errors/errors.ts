import { defineErrors } from '../../../kernel/errors/errors.ts'

interface Said {
  readonly what: string
}

export const errors = defineErrors('COMP', {
  documentUnknown: [1, 422, 'Document Type Not Recognized', (p: Said) => p.what],
  documentInvalid: [2, 422, 'Document Invalid', (p: Said) => p.what],
  versionExists: [
    3,
    409,
    'Version Exists',
    (p: { key: string; version: string }) =>
      `The framework ${p.key} exists in version ${p.version} with other content. Import it under another version.`,
  ],
  unresolved: [4, 422, 'Import Cannot Be Resolved', (p: Said) => p.what],
  notChangeable: [5, 409, 'Framework Cannot Be Changed', (p: Said) => p.what],
  unknownRelation: [
    6,
    422,
    'Unknown Mapping Relation',
    (p: { word: string }) =>
      `"${p.word}" is no relation of a mapping. Use equal-to, subset-of, superset-of, intersects-with or no-relationship.`,
  ],
  illegalMove: [7, 409, 'Illegal Move', (p: Said) => p.what],
  assessmentFinal: [
    8,
    409,
    'Assessment Is Final',
    (p: { status: string }) => `The assessment is ${p.status} and does not change any more.`,
  ],
  secondPerson: [9, 403, 'Separation of Duties', (p: Said) => p.what],
  incomplete: [10, 422, 'Assessment Incomplete', (p: Said) => p.what],
  justificationNeeded: [
    11,
    422,
    'Justification Needed',
    (p: { field: string }) => `${p.field} needs a justification. Send \`justification\` in the same call.`,
  ],
  fileRefused: [12, 422, 'File Refused', (p: Said) => p.what],
  unsafeArchive: [14, 422, 'Unsafe Archive', (p: Said) => p.what],
  digestDiffers: [
    15,
    409,
    'Digest Differs',
    (p: { sha256: string }) => `The file has the SHA-256 ${p.sha256}, which is not the one sent. Send the file again.`,
  ],
  checkUnknown: [17, 422, 'Check Unknown', (p: Said) => p.what],
  storeUnavailable: [
    18,
    503,
    'Evidence Store Unavailable',
    () => 'The stored content cannot be read. Try again, and tell an administrator if it lasts.',
  ],
  answersInvalid: [20, 422, 'Answers Contradictory or Missing', (p: Said) => p.what],
  contentChanged: [
    21,
    409,
    'Stored Content Changed',
    () => 'The stored content does not have the digest of its record, so it is not served.',
  ],
  formatUnavailable: [22, 422, 'Format Not Available', (p: Said) => p.what],
})
