import { apiErrors, authErrors } from '../../../kernel/http/errors.ts'
import { Answer, routesOf } from '../../../kernel/route.ts'
import { errors } from '../errors.ts'
import { scopeOf } from '../scope.ts'
import type { AdminServices } from '../services.ts'
import { createBackup, listBackups, verifyBackup } from './backups.ts'
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
    summary: 'Prove a backup by restoring it',
    description:
      'Restores it into a database of its own and looks at row counts, foreign keys, row-level security, audit chains and the signature. The running database is not touched. The verdict is the `result` of the job.',
    body: RestoreBackup,
    returns: [201, RestoreJob],
    audit: 'admin.backup.restore',
    rateClass: 'expensive',
    errors: [apiErrors.notFound, apiErrors.conflict, errors.backupUnverified],
    ownTransactions: true,
    handler: async (context) => {
      const job = await verifyBackup(context.kernel, scopeOf(context), context.params.backup_id)
      return new Answer(job, { location: `/api/v1/admin/jobs?id=${job.id}` })
    },
  }),
]
