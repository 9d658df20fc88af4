/** The database with its after-commit hooks, and its backups. */
import { join } from 'node:path'
import { type Backups, type BackupUse, createBackups } from '../backup/backups.ts'
import { createDatabase } from '../db/database.ts'
import type { Database } from '../db/port.ts'
import type { Recorders } from '../db/recorders.ts'
import type { Faults } from '../faults/seams.ts'
import type { PlatformKeys } from '../keys/port.ts'
import type { LocalLiveFeed } from '../live/feed.ts'
import type { AssembleInput, Wakes } from './core.ts'
import { createRecorders } from './recorders.ts'

interface DatabaseUse {
  readonly platformKeys: PlatformKeys
  readonly wakes: Wakes
  readonly faults: Faults
  readonly changed: LocalLiveFeed['committed']
}

export function openDatabase(input: AssembleInput, { wakes, platformKeys, faults, changed }: DatabaseUse): Database {
  const recorders = recordersOf(input, platformKeys, {
    event: () => wakes.relay(),
    job: (runAt) => wakes.worker(runAt),
    audit: () => wakes.sealer(),
    change: changed,
  })
  return createDatabase({
    driver: input.adapters.driver,
    recorders,
    seam: { faults, clock: input.clock },
    appended: () => {
      wakes.relay()
      wakes.sealer()
    },
  })
}

function recordersOf(
  { clock, random, checkEvents }: AssembleInput,
  platformKeys: PlatformKeys,
  committed: Parameters<typeof createRecorders>[0]['committed'],
): Recorders {
  const digest = (value: string) => platformKeys.mac('audit-digest', value)
  return createRecorders({ clock, random, digest, check: checkEvents, committed })
}

interface BackupNeeds extends Pick<BackupUse, 'keys' | 'chain' | 'egress' | 'replaced'> {
  readonly platformKeys: PlatformKeys
}

export function backupsOf(input: AssembleInput, { platformKeys, ...needs }: BackupNeeds): Backups {
  const { config, clock, random, kek, nextKek = null, schema } = input
  const folder = config.backupDir ?? join(config.dataDir, 'backups')
  const nobody = () => undefined
  const recorders = recordersOf(input, platformKeys, { event: nobody, job: nobody, audit: nobody, change: nobody })
  return createBackups({
    driver: input.adapters.driver,
    schema,
    folder,
    scratch: join(config.dataDir, 'scratch'),
    kek,
    nextKek,
    clock,
    random,
    recorders,
    ...needs,
  })
}
