import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { builtinRoleNames } from '../../../kernel/access/actor.ts'
import {
  allPermissions,
  everyPermission,
  holds,
  missingFrom,
  permissionSet,
  union,
} from '../../../kernel/access/permissions.ts'
import { ProblemError } from '../../../kernel/errors/problem.ts'
import { builtinRoles, roleSet } from './builtin-roles.ts'
import { assertCanGrant, assertCanGrantRoles, assertDominates } from './escalation.ts'

const permissions = fc.subarray([...allPermissions])

function refusal(run: () => void): ProblemError | null {
  try {
    run()
    return null
  } catch (error) {
    if (error instanceof ProblemError) return error
    throw error
  }
}

describe('C14 granting', () => {
  test('is allowed exactly when nothing is missing, and the refusal names what is', () => {
    fc.assert(
      fc.property(permissions, permissions, (mine, wanted) => {
        const grantor = { permissions: permissionSet(mine), operator: false }
        const missing = missingFrom(grantor.permissions, permissionSet(wanted))
        const refused = refusal(() => assertCanGrant(grantor, permissionSet(wanted)))
        if (missing.length === 0) expect(refused).toBeNull()
        else expect(refused).toMatchObject({ code: 'IAM-003', status: 403, members: { missing } })
      }),
      { numRuns: 1000 },
    )
  })

  test('of super_admin needs an operator, whatever else one has', () => {
    const role = { builtin: 'super_admin', permissions: [] } as const
    const everything = { permissions: everyPermission, operator: false }
    expect(refusal(() => assertCanGrantRoles(everything, [role]))?.members).toEqual({ missing: ['super_admin'] })
    expect(refusal(() => assertCanGrantRoles({ ...everything, operator: true }, [role]))).toBeNull()
  })

  test('no chain of grants yields anybody more than its first grantor had', () => {
    const grant = fc.record({ by: fc.nat(), wanted: permissions })
    fc.assert(
      fc.property(permissions, fc.array(grant, { maxLength: 20 }), (mine, grants) => {
        const first = permissionSet(mine)
        const people = [{ permissions: first, operator: false }]
        for (const { by, wanted } of grants) {
          const grantor = people[by % people.length] ?? people[0]
          const given = permissionSet(wanted)
          if (grantor === undefined || refusal(() => assertCanGrant(grantor, given)) !== null) continue
          // The grantee may have received other permissions before from the same circle.
          people.push({ permissions: union(given, grantor.permissions), operator: false })
        }
        for (const person of people) expect(missingFrom(first, person.permissions)).toEqual([])
      }),
      { numRuns: 5000 },
    )
  })
})

test('C14 an operator is dominated by operators only', () => {
  const target = { permissions: everyPermission, operator: true }
  expect(refusal(() => assertDominates({ permissions: everyPermission, operator: false }, target))?.code).toBe(
    'IAM-003',
  )
  expect(refusal(() => assertDominates({ permissions: everyPermission, operator: true }, target))).toBeNull()
})

describe('built-in roles', () => {
  test('auditor reads every module and changes none', () => {
    const auditor = roleSet({ builtin: 'auditor', permissions: [] })
    for (const permission of allPermissions) expect(holds(auditor, permission)).toBe(permission.endsWith(':read'))
  })

  test('only super_admin and tenant_admin administer identities', () => {
    const administrators = builtinRoleNames.filter((name) =>
      holds(roleSet({ builtin: name, permissions: [] }), 'iam:admin'),
    )
    expect(administrators).toEqual(['super_admin', 'tenant_admin'])
  })

  test('viewer sees neither identities nor administration', () => {
    const viewer = permissionSet(builtinRoles.viewer.permissions)
    expect(
      ['iam:read', 'admin:read'].filter((name) => allPermissions.some((p) => p === name && holds(viewer, p))),
    ).toEqual([])
  })

  test('permissions stored in the row of a built-in role count for nothing', () => {
    expect(holds(roleSet({ builtin: 'viewer', permissions: ['iam:admin'] }), 'iam:read')).toBe(false)
  })
})
