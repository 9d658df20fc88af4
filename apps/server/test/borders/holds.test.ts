/** Statements that remove rows about people ask whether a legal hold keeps them, or are named here with their reason. */
import { expect, test } from 'vitest'
import { schemaOf } from '../../src/kernel/assembly/schema.ts'
import { modules } from '../../src/modules.ts'
import { sources } from './sources.ts'

const personal = new Set(
  schemaOf(modules)
    .tables.filter(({ scope, data }) => scope === 'tenant' && data.subject.length > 0 && data.isCopy !== true)
    .map(({ name }) => name),
)

/**
 * Statements that end a right, a credential or a piece of work, which no hold may keep in force: the audit log says that
 * it was there. And those that ask for holds before, or work on a copy. By file below apps/server/src.
 */
const ending: Readonly<Record<string, readonly string[]>> = {
  'kernel/audit/cut.ts': ['audit_entry', 'audit_personal'],
  'kernel/backup/swap.ts': ['audit_personal'],
  'modules/aegis/rules/rules.ts': ['aegis_suppression'],
  'modules/admin/backups/replace.ts': ['admin_setting'],
  'modules/iam/accounts/status.ts': ['iam_sso_identity'],
  'modules/iam/erasure/erase-subject.ts': ['audit_personal'],
  'modules/iam/factors/enroll-totp.ts': ['iam_factor'],
  'modules/iam/factors/factors.ts': ['iam_factor'],
  'modules/iam/mail/jobs.ts': ['job'],
  'modules/iam/mail/links.ts': ['iam_mail_link'],
  'modules/iam/mfa/recovery.ts': ['iam_recovery_code'],
  'modules/iam/restore/copy.ts': ['iam_user_role'],
  'modules/iam/reviews/apply.ts': ['iam_group_member', 'iam_user_role'],
  'modules/iam/rights/granted-roles.ts': ['iam_user_role'],
  'modules/iam/rights/group-roles.ts': ['iam_user_role'],
  'modules/iam/roles/role-changes.ts': ['iam_user_role'],
  'modules/iam/scim/groups.ts': ['iam_group_member'],
  'modules/iam/scim/users.ts': ['iam_group_member'],
  'modules/iam/sso/connections/removal.ts': ['iam_sso_identity'],
  'modules/iam/tenant-life/deletion.ts': ['audit_entry'],
  'modules/gateway/usage/store-cells.ts': ['gateway_usage_cell'],
}

const removal = /delete\s+from\s+([a-z_]+)/g

test('C61 a statement that removes rows about people asks for legal holds, or ends something', () => {
  const root = 'apps/server/src/'
  const found = sources('apps/server/src').flatMap(({ path, text }) =>
    [...text.matchAll(removal)]
      .map((match) => ({ table: match[1] ?? '', statement: text.slice(match.index, match.index + 400) }))
      .filter(({ table, statement }) => personal.has(table) && !/notHeld\(/.test(statement.split('`)')[0] ?? ''))
      .map(({ table }) => `${path.slice(root.length)} ${table}`),
  )
  const named = Object.entries(ending).flatMap(([path, tables]) => tables.map((table) => `${path} ${table}`))
  expect([...new Set(found)].sort()).toEqual(named.sort())
})
