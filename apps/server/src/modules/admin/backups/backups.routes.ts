import { apiErrors, authErrors } from '../../../kernel/errors/errors.ts'
import { scopeOf } from '../../../kernel/module/request-scope.ts'
import { Answer, routesOf } from '../../../kernel/module/route.ts'
import { errors } from '../errors/errors.ts'
import type { AdminServices } from '../services/admin-services.ts'
import { createBackup, listBackups } from './backups.ts'
import { restoreBackup } from './restore.ts'
import { Backup, BackupFilter, NewBackup, RestoreBackup, RestoreJob } from './schema.ts'
import { backups } from './tables.ts'

const route = routesOf<AdminServices>()

export const backupRoutes = [
  route.get('/backups', {
    permission: 'admin:read',
    summary: 'List backups',
    description: '`meta.newest_verified_age_seconds` is the age of the newest one that was proven by a restore.',
    query: BackupFilter,
    list: { table: backups, default: '-created_at' },
    returns: [200, Backup],
    handler: async ({ kernel, tx, query: filter, page }) => {
      const { page: found, newestVerifiedAgeSeconds } = await listBackups(kernel, tx, { filter, page })
      return new Answer(found, { meta: { newest_verified_age_seconds: newestVerifiedAgeSeconds } })
    },
  }),
  route.post('/backups', {
    permission: 'admin:admin',
    summary: 'Make a backup',
    description:
      'Of one’s own tenant, or by operators of everything. With `verify` it is restored into a database of its own afterwards. It opens only with the key-encryption key, which it does not hold.',
    body: NewBackup,
    returns: [201, Backup],
    audit: 'admin.backup.create',
    rateClass: 'expensive',
    errors: [authErrors.forbidden, errors.backupRunning, errors.backupTarget],
    ownTransactions: true,
    handler: async (context) => {
      const made = await createBackup(context.kernel, scopeOf(context), { actor: context.actor, body: context.body })
      return new Answer(made, { location: `/api/v1/admin/backups?id=${made.id}` })
    },
  }),
  route.post('/backups/{backup_id}/restore', {
    permission: 'admin:admin',
    summary: 'Restore a backup',
    description:
      '`verify`, the default, restores it into a database of its own and looks at row counts, foreign keys, row-level security, audit chains and the signature; the running database is not touched. `replace` does that and then puts it in the place of everything, in one transaction: for operators with fresh authentication, in the maintenance mode `full`, confirmed with the words `replace <backup_id>`. Everybody is signed out, what was erased or revoked since stays so, audit logs go on, and the maintenance stays until it is ended. `as_new_tenant` makes a tenant with the people, rights and configuration of one in the backup, under new ids and keys and without credentials, for operators with fresh authentication. The verdict is the `result` of the job.',
    body: RestoreBackup,
    returns: [201, RestoreJob],
    audit: 'admin.backup.restore',
    rateClass: 'expensive',
    errors: [
      ...[apiErrors.notFound, apiErrors.conflict, authErrors.forbidden, authErrors.stepUp],
      ...[errors.backupUnverified, errors.notInMaintenance],
    ],
    ownTransactions: true,
    handler: async (context) => {
      const { actor, body, params } = context
      const job = await restoreBackup(context.kernel, scopeOf(context), { actor, body, id: params.backup_id })
      return new Answer(job, { location: `/api/v1/admin/jobs?id=${job.id}` })
    },
  }),
]
