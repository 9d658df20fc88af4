/**
 * `npm start -- --restore FILE`: puts a backup of the whole installation into an empty database and ends. Promises that a
 * database with tenants in it is refused and that nothing is left in it when the backup is not good. It needs the
 * key-encryption key of the installation that made the backup. Tested in restore.test.ts.
 */
import { openDriver } from './kernel/assembly/adapters.ts'
import { schemaOf } from './kernel/assembly/schema.ts'
import { readBackup } from './kernel/backup/file.ts'
import { type Loaded, loadBackup } from './kernel/backup/load.ts'
import { BackupRefused } from './kernel/backup/refused.ts'
import { isSignedByOneOf } from './kernel/backup/signature.ts'
import { readFile } from './kernel/backup/store.ts'
import { systemClock } from './kernel/base/clock.ts'
import type { Config } from './kernel/config/load.ts'
import { createRandom } from './kernel/crypto/random.ts'
import { createKeyWrap } from './kernel/crypto/wrapping.ts'
import type { Driver } from './kernel/db/port.ts'
import { openKeys } from './kernel/keys/kek/open.ts'
import { modules } from './modules.ts'

/** Answers what was restored. @throws BackupRefused, Error with words for the operator */
export async function restore(config: Config, path: string, opened?: Driver): Promise<Loaded> {
  const clock = systemClock()
  const { kek, close } = await openKeys(config, clock)
  await close()
  const wrap = createKeyWrap(kek, createRandom(clock.now))
  const driver = opened ?? (await openDriver(config))
  try {
    return await loadBackup({
      driver,
      schema: schemaOf(modules),
      clock,
      lines: readBackup(wrap, readFile(path)),
      accept: (loaded, keys) => {
        if (loaded.preface.kind !== 'full') throw new BackupRefused('kind', 'it is of one tenant')
        if (!isSignedByOneOf(keys, loaded)) throw new BackupRefused('signature', 'none of its own keys has signed it')
      },
    })
  } finally {
    if (opened === undefined) await driver.close()
  }
}
