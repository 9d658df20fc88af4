import type { Permission } from '../../../kernel/access/permissions.ts'
import { defineErrors } from '../../../kernel/errors/errors.ts'

export const errors = defineErrors('IAM', {
  emailInUse: [1, 409, 'E-mail In Use', () => 'Another user of this tenant has this e-mail address.'],
  passwordRefused: [
    2,
    422,
    'Password Refused',
    (p: { reasons: readonly string[]; min_length: number; max_length: number }) =>
      `The password is not acceptable: ${p.reasons.join(', ')}. It needs ${p.min_length} to ${p.max_length} characters and should be none that others would try.`,
  ],
  exceedsRights: [
    3,
    403,
    'More Than You Have',
    (p: { missing: readonly string[] }) => `This would grant or touch rights you do not have: ${p.missing.join(', ')}.`,
  ],
  illegalMove: [
    4,
    409,
    'Illegal Move',
    (p: { what: string; from: string; to: string }) => `A ${p.what} that is ${p.from} cannot become ${p.to}.`,
  ],
  lastAdministrator: [
    5,
    409,
    'Last Administrator',
    () => 'This would leave the tenant without an active administrator.',
  ],
  builtinRole: [
    6,
    403,
    'Built-in Role',
    (p: { name: string }) => `The role ${p.name} is built in and cannot be changed or deleted.`,
  ],
  inUse: [7, 409, 'In Use', (p: { what: string }) => p.what],
  unknownPermission: [
    8,
    422,
    'Unknown Permission',
    (p: { names: readonly string[] }) => `There is no permission ${p.names.join(', ')}.`,
  ],
  quotaReached: [
    9,
    422,
    'Quota Reached',
    (p: { quota: string; limit: number }) => `The quota ${p.quota} allows ${p.limit}.`,
  ],
  managedByDirectory: [
    10,
    409,
    'Managed by the Directory',
    (p: { field: string }) => `A directory keeps ${p.field}; change it there.`,
  ],
  hierarchy: [11, 422, 'Hierarchy Rule', (p: { what: string }) => p.what],
  keyRule: [12, 422, 'Key Rule', (p: { what: string }) => p.what],
  ssoRefused: [13, 422, 'Single Sign-On Refused', (p: { what: string }) => p.what],
  domainNotProven: [14, 409, 'Domain Not Verified', (p: { what: string }) => p.what],
  reviewClosed: [
    15,
    409,
    'Review Closed',
    (p: { status: string }) => `This is ${p.status}; nothing can be decided about it any more.`,
  ],
  ownAccess: [16, 403, 'Own Access', () => 'Nobody reviews their own access.'],
  notFiltered: [
    18,
    403,
    'Not Filtered',
    () => 'What the server says of itself is told whole; ask again without a filter.',
  ],
  notServed: [19, 501, 'Not Implemented', (p: { what: string }) => p.what],
  legalHold: [
    20,
    409,
    'Legal Hold',
    () =>
      'A legal hold (the setting `audit.legal_hold`, of the tenant or of the platform) keeps this tenant and its audit log. It can be deleted when the hold is lifted.',
  ],
  outsideTokenTaken: [
    21,
    409,
    'Outside Token Bound Already',
    () =>
      'A token with this issuer, claim, value and audience is bound already. End that binding first, or use another audience.',
  ],
  importRefused: [17, 422, 'Import Refused', (p: { what: string }) => p.what],
})

/** The refusal of an act beyond one's own rights; the missing permissions are a member of the problem. */
export function exceedsRights(missing: readonly (Permission | 'super_admin')[]) {
  return errors.exceedsRights({ missing }).withMembers({ missing: [...missing] })
}
