import type { BackupPlace } from '../../../kernel/backup/backups.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import { errors } from '../errors/errors.ts'
import { backupBucket, backupBucketKey } from './settings.ts'
import type { BackupRow } from './tables.ts'

/** Where backups of this target are, as the settings have it now. @throws ADM-011 where no bucket is set */
export function placeOf(
  { backups, settings }: Pick<Kernel, 'backups' | 'settings'>,
  target: BackupRow['target'],
): BackupPlace {
  if (target === 'local') return backups.at(null)
  const bucket = settings.get(backupBucket, null)
  const credential = settings.get(backupBucketKey, null)
  if (bucket === null || credential === null)
    throw errors.backupTarget({ why: 'the settings backups.s3 and backups.s3_key name no bucket' })
  return backups.at({ ...bucket, credential })
}
