import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openTestDatabase } from '../test/support/database.ts'
import { schemaOf } from './kernel/assembly/schema.ts'
import { loadConfig } from './kernel/config/load.ts'
import type { Driver } from './kernel/db/port.ts'
import { modules } from './modules.ts'
import { startProgram } from './program.ts'

test('a file of the operator that its module refuses starts nothing and leaves nothing open', async () => {
  const database = await openTestDatabase(schemaOf(modules))
  const folder = await mkdtemp(join(tmpdir(), 'parapet-program-'))
  try {
    let closed = 0
    const close = async () => {
      closed += 1
    }
    const driver: Driver = Object.create(database.driver, { close: { value: close } })
    const file = join(folder, 'classifiers.json')
    await writeFile(file, '[{ "kind": "http" }]')
    const config = loadConfig({
      PARAPET_DATA_DIR: folder,
      PARAPET_LOG_LEVEL: 'silent',
      PARAPET_GATEWAY_CLASSIFIERS_FILE: file,
    })
    await expect(startProgram({ config, driver })).rejects.toThrow(`The classifiers file ${file} is not valid`)
    expect(closed).toBe(1)
  } finally {
    await database.close()
    await rm(folder, { recursive: true, force: true })
  }
})
