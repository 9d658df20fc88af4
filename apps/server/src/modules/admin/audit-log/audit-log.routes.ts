import { auditEntry } from '../../../kernel/audit/tables.ts'
import { apiErrors, authErrors } from '../../../kernel/errors/errors.ts'
import { acceptedForm } from '../../../kernel/http/answer/accept.ts'
import { scopeOf } from '../../../kernel/module/request-scope.ts'
import { routesOf } from '../../../kernel/module/route.ts'
import { errors } from '../errors/errors.ts'
import type { AdminServices } from '../services/admin-services.ts'
import { exportAuditLog, fileForms } from './export.ts'
import { AuditEntry, AuditFilter, AuditVerdict, VerifyAudit } from './schemas/audit-log.ts'
import { searchAuditLog } from './search.ts'
import { verifyAuditLog } from './verify.ts'

const route = routesOf<AdminServices>()

export const auditLogRoutes = [
  route.get('/audit-logs', {
    permission: 'admin:read',
    summary: 'Search the audit log, or export it',
    description:
      'With `Accept: application/x-ndjson`, `text/csv` or `application/x-ocsf+ndjson` (events of the Open Cybersecurity Schema Framework 1.9.0) all entries that match are sent as a file, in the order of the chain and up to a million; `limit`, `cursor` and `sort` are not asked then. Every file is an entry of its own.',
    query: AuditFilter,
    list: { table: auditEntry, default: '-at' },
    returns: [200, AuditEntry],
    files: fileForms,
    errors: [apiErrors.validation, authErrors.forbidden],
    ownTransactions: true,
    handler: (context) => {
      const { kernel, actor, query: filter, page } = context
      const form = acceptedForm(context.request.header('accept'), ['application/json', ...fileForms])
      if (form === 'application/json') return searchAuditLog(kernel.db, { actor, filter, page })
      return exportAuditLog(kernel, scopeOf(context), { actor, filter, form })
    },
  }),
  route.post('/audit-logs/verify', {
    permission: 'admin:read',
    summary: 'Verify the audit log',
    description:
      'Recomputes the chain and compares it with the signed checkpoints of this installation and those in the body. A long range is verified by a job, whose `result` is this answer.',
    body: VerifyAudit,
    returns: [200, AuditVerdict],
    audit: 'admin.audit.verify',
    rateClass: 'expensive',
    errors: [errors.notSealed, authErrors.forbidden],
    ownTransactions: true,
    handler: (context) =>
      verifyAuditLog(context.kernel, scopeOf(context), { actor: context.actor, body: context.body }),
  }),
]
